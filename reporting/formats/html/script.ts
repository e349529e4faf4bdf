/** The script of the page: filter, permalinks, keys `/`, `n` and `p`, copy buttons, print. The page is complete without it. */
export const SCRIPT = String.raw`
(() => {
  'use strict';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = document.getElementById('filter');
  const box = document.getElementById('filter-text');
  const status = document.getElementById('filter-status');
  const toggles = all('button.toggle', form);
  const items = all('[data-item]');
  const rows = all('[data-check]');
  const groups = all('[data-group]').reverse();
  const folded = new Map(all('details[data-group]').map((details) => [details, details.open]));
  const pressed = (kind) => toggles.filter((button) => button.dataset.kind === kind && button.getAttribute('aria-pressed') === 'true').map((button) => button.dataset.value);

  const apply = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = pressed('verdict');
    const levels = pressed('level');
    const active = words.length + verdicts.length + levels.length > 0;
    for (const item of items) {
      const { verdict, level, text } = item.dataset;
      item.hidden = !(
        (verdicts.length === 0 || verdicts.includes(verdict)) &&
        (levels.length === 0 || levels.includes(level)) &&
        words.every((word) => text.includes(word))
      );
    }
    for (const group of groups) group.hidden = active && group.querySelector('[data-item]:not([hidden])') === null;
    for (const [details, open] of folded) details.open = active ? !details.hidden : open;
    status.textContent = active ? rows.filter((row) => !row.hidden).length + ' of ' + rows.length + ' checks' : rows.length + ' checks';
    form.classList.toggle('active', active);
    if (ready) remember({ text: box.value, verdict: verdicts.join(','), level: levels.join(',') });
  };

  // The filter is part of the address, so that a link shows the same selection.
  let ready = false;
  const remember = (chosen) => {
    const state = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== '')).toString();
    if (state === '' && !location.hash.startsWith('#?')) return;
    history.replaceState(null, '', state === '' ? '#' : '#?' + state);
  };
  const recall = () => {
    if (!location.hash.startsWith('#?')) return;
    const state = new URLSearchParams(location.hash.slice(2));
    box.value = state.get('text') ?? '';
    for (const button of toggles) {
      const chosen = (state.get(button.dataset.kind) ?? '').split(',').includes(button.dataset.value);
      button.setAttribute('aria-pressed', String(chosen));
    }
  };

  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('click', (event) => {
    const button = event.target.closest('button.toggle');
    if (button === null) return;
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
    apply();
  });
  form.addEventListener('reset', () => {
    for (const button of toggles) button.setAttribute('aria-pressed', 'false');
    setTimeout(apply);
  });

  for (const button of all('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const code = button.parentElement.querySelector('code');
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = 'Selected';
      }
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
  }

  // A link to a check must find it, even in a folded area.
  const reveal = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const goal = document.getElementById('failure-' + name) ?? document.getElementById(name);
    for (let fold = goal?.parentElement?.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    if (goal?.matches('details')) goal.open = true;
    goal?.scrollIntoView();
  };
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#?')) { recall(); apply(); } else reveal();
  });

  const cards = all('details.card');
  const step = (by) => {
    const shown = cards.filter((card) => !card.hidden && card.closest('[hidden]') === null);
    const at = shown.indexOf(document.activeElement?.closest('details.card'));
    const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(shown.length - 1, Math.max(0, at + by))];
    if (!next) return;
    next.open = true;
    next.querySelector('summary').focus();
    next.scrollIntoView();
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, textarea')) return;
    if (event.key === '/') { event.preventDefault(); box.focus(); }
    if (event.key === 'n') step(1);
    if (event.key === 'p') step(-1);
  });

  // A printed page shows every requirement.
  let unfolded = [];
  addEventListener('beforeprint', () => {
    unfolded = all('details.area:not([open])');
    for (const area of unfolded) area.open = true;
  });
  addEventListener('afterprint', () => { for (const area of unfolded) area.open = false; });

  form.hidden = false;
  recall();
  apply();
  ready = true;
  if (location.hash !== '' && !location.hash.startsWith('#?')) reveal();
})();
`;
