export const NEWEST_SORT = { sortBy: 'createdAt', sortOrder: 'desc' } as const;

export const SORT_ORDERS = [
  ['createdAt', 'desc'],
  ['createdAt', 'asc'],
  ['status', 'desc'],
  ['currency', 'desc'],
  ['dueDate', 'desc'],
  ['dueDate', 'asc'],
  ['amount', 'desc'],
] as const;
