// The script of the page: filter, permalinks, keys `/`, `n` and `p`, copy buttons, print. The page is complete without it.
(() => {
  /**
   * All elements that match a selector and are of a kind.
   * @template {Element} Kind
   * @param {string} selector
   * @param {new () => Kind} kind
   */
  const all = (selector, kind) =>
    [...document.querySelectorAll(selector)].flatMap((each) => (each instanceof kind ? [each] : []));

  /**
   * @template {Element} Kind
   * @param {string} id
   * @param {new () => Kind} kind
   */
  const byId = (id, kind) => {
    const found = document.getElementById(id);
    if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
    return found;
  };

  const form = byId('filter', HTMLFormElement);
  const box = byId('filter-text', HTMLInputElement);
  const status = byId('filter-status', HTMLOutputElement);
  const toggles = all('#filter button.toggle', HTMLButtonElement);
  /**
   * The words of an item: its id and title, and those of its requirement and area.
   * @param {HTMLElement} item
   */
  const wordsOf = (item) => {
    const shown = item.matches('details') ? item.querySelector('summary') : item;
    const statement = item.closest('.requirement')?.querySelectorAll(':scope > p') ?? [];
    const area = item.closest('.area')?.querySelector('h3');
    const parts = [shown?.textContent, item.dataset.words, area?.textContent];
    return [...parts, ...[...statement].map((each) => each.textContent)].join(' ').toLowerCase();
  };
  const items = all('[data-item]', HTMLElement).map((item) => ({ item, text: wordsOf(item) }));
  const rows = all('[data-check]', HTMLElement);
  const groups = all('[data-group]', HTMLElement).reverse();
  const folded = all('details[data-group]', HTMLDetailsElement).map((details) => ({ details, wasOpen: details.open }));

  /** @param {string} kind */
  const pressed = (kind) =>
    toggles
      .filter((button) => button.dataset.kind === kind && button.getAttribute('aria-pressed') === 'true')
      .map((button) => button.dataset.value ?? '');

  const apply = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = pressed('verdict');
    const levels = pressed('level');
    const isActive = words.length + verdicts.length + levels.length > 0;
    for (const { item, text } of items) {
      const { verdict = '', level = '' } = item.dataset;
      item.hidden = !(
        (verdicts.length === 0 || verdicts.includes(verdict)) &&
        (levels.length === 0 || levels.includes(level)) &&
        words.every((word) => text.includes(word))
      );
    }
    for (const group of groups) group.hidden = isActive && group.querySelector('[data-item]:not([hidden])') === null;
    for (const { details, wasOpen } of folded) details.open = isActive ? !details.hidden : wasOpen;
    // A check has a row, and a card if it failed.
    const shown = new Set(items.filter(({ item }) => !item.hidden).map(({ item }) => item.dataset.item));
    const count = rows.filter((row) => shown.has(row.id)).length;
    status.textContent = isActive ? `${count} of ${rows.length} checks` : `${rows.length} checks`;
    form.classList.toggle('active', isActive);
    if (isReady) remember({ text: box.value, verdict: verdicts.join(','), level: levels.join(',') });
  };

  // The filter is part of the address, so that a link shows the same selection.
  let isReady = false;
  /** @param {Record<string, string>} chosen */
  const remember = (chosen) => {
    const state = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== '')).toString();
    if (state === '' && !location.hash.startsWith('#?')) return;
    history.replaceState(null, '', state === '' ? '#' : `#?${state}`);
  };
  const recall = () => {
    if (!location.hash.startsWith('#?')) return;
    const state = new URLSearchParams(location.hash.slice(2));
    box.value = state.get('text') ?? '';
    for (const button of toggles) {
      const chosen = (state.get(button.dataset.kind ?? '') ?? '').split(',').includes(button.dataset.value ?? '');
      button.setAttribute('aria-pressed', String(chosen));
    }
  };

  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => {
    for (const button of toggles) button.setAttribute('aria-pressed', 'false');
    box.value = '';
    apply();
  });
  for (const button of toggles) {
    button.addEventListener('click', () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
      apply();
    });
  }

  for (const button of all('button.copy', HTMLButtonElement)) {
    const code = button.parentElement?.querySelector('code');
    if (!code) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent ?? '');
        button.textContent = 'Copied';
      } catch {
        // A page from file:// may have no clipboard: the user copies the selection.
        getSelection()?.selectAllChildren(code);
        button.textContent = 'Selected';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
  }

  // A link to a check must find it, even in a folded area.
  const reveal = () => {
    const name = location.hash.slice(1);
    const goal = document.getElementById(`failure-${name}`) ?? document.getElementById(name);
    if (goal === null) return;
    // The filter must not hide what a link leads to.
    if (goal.closest('[hidden]') !== null) form.reset();
    for (const details of all('details', HTMLDetailsElement)) if (details.contains(goal)) details.open = true;
    requestAnimationFrame(() => goal.scrollIntoView());
  };
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#?')) {
      recall();
      apply();
    } else reveal();
  });

  const cards = all('details.card', HTMLDetailsElement);
  /** @param {1 | -1} by */
  const step = (by) => {
    const shown = cards.filter((card) => card.closest('[hidden]') === null);
    const at = shown.findIndex((card) => card.contains(document.activeElement));
    const first = by > 0 ? 0 : shown.length - 1;
    const next = shown[at < 0 ? first : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (!next) return;
    next.open = true;
    next.querySelector('summary')?.focus();
    next.scrollIntoView();
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.matches('input, textarea')) return;
    if (event.key === '/') {
      event.preventDefault();
      box.focus();
    }
    if (event.key === 'n') step(1);
    if (event.key === 'p') step(-1);
  });

  // A printed page shows every requirement.
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  addEventListener('beforeprint', () => {
    unfolded = all('details.area:not([open])', HTMLDetailsElement);
    for (const area of unfolded) area.open = true;
  });
  addEventListener('afterprint', () => {
    for (const area of unfolded) area.open = false;
  });

  form.hidden = false;
  recall();
  apply();
  isReady = true;
  // The browser scrolls to the row after this script: a failed check has a card, which says more.
  if (location.hash !== '' && !location.hash.startsWith('#?')) addEventListener('load', () => setTimeout(reveal));
})();
