// In a worker of the mutation run: which safety check is disabled, and which ones the code has reached.

/** With its check disabled, a loop may never end. */
const maxHits = 2_000_000;

/** @type {{ out: string | undefined, hits: number, reached: Set<string> }} */
const state = { out: undefined, hits: 0, reached: new Set() };

/** @param {string} name @returns {boolean} whether the check is disabled */
function isOut(name) {
  state.reached.add(name);
  if (name !== state.out) return false;
  state.hits += 1;
  if (state.hits > maxHits) throw new Error(`without "${name}" this never ends`);
  return true;
}

/** For compiled marks (`instrument.mjs`). */
export const install = () => Object.assign(globalThis, { __safety: isOut });

/** @param {string | undefined} name the check that is disabled from now on */
export function takeOut(name) {
  state.out = name;
  state.hits = 0;
}

/** @returns {string | undefined} */
export const out = () => state.out;

/** @param {string} name */
export const reach = (name) => state.reached.add(name);

/** @returns {string[]} the checks reached since the last call */
export function takeReached() {
  const names = [...state.reached];
  state.reached.clear();
  return names;
}
