/** The header that names an environment. */
export const environment = (value: string): [string, string][] => [['X-Environment', value]];

/** The environment that the keys of a run are of, named: with it a request is what it is without. */
export const ownEnvironment = environment('SANDBOX');
