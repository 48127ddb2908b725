// State of which a process has exactly one. Next makes a bundle of each route, and esbuild one of the server program, so a module's own
// state exists once per bundle (docs/adr/0017-one-per-process.md). `npm run lint` finds such state in what Next bundles, and a name that is declared twice.

declare global {
  // All bundles share this name; only `var` puts it on globalThis.
  var reclaimProcess: Map<string, unknown> | undefined;
}

const values = (): Map<string, unknown> => (globalThis.reclaimProcess ??= new Map());

/**
 * Declares a value of this process, which is made when somebody first asks for it.
 * @param name declared once in the whole program, so all bundles make and get the same type
 */
export function perProcess<Value>(name: string, make: () => Value): () => Value {
  return () => {
    const state = values();
    if (!state.has(name)) state.set(name, make());
    return state.get(name) as Value;
  };
}

/**
 * Declares a value that the server program gives to the bundles.
 * @param name as for `perProcess`
 */
export function givenToProcess<Value>(name: string): { give(value: Value): void; get(): Value } {
  return {
    give: (value) => {
      if (values().has(name)) throw new Error(`this process has a ${name} already`);
      values().set(name, value);
    },
    get: () => {
      if (!values().has(name)) throw new Error("the console is served by dist/server.js only");
      return values().get(name) as Value;
    },
  };
}
