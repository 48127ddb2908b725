// When packages have to be installed.
import { describe, expect, it } from "vitest";
import { isInstalled } from "@/scripts/setup/install.mjs";

const wanted = {
  packages: {
    "": {},
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b-darwin": { version: "2.0.0", optional: true },
  },
};

describe("isInstalled", () => {
  it("is so when every package has its version; packages for other platforms may be absent", () => {
    expect(isInstalled(wanted, { packages: { "node_modules/a": { version: "1.0.0" } } })).toBe(true);
  });
  it("is not so without npm's own list, which it writes last", () => {
    expect(isInstalled(wanted, undefined)).toBe(false);
  });
  it("is not so when a package is missing or has another version", () => {
    expect(isInstalled(wanted, { packages: {} })).toBe(false);
    expect(isInstalled(wanted, { packages: { "node_modules/a": { version: "1.0.1" } } })).toBe(false);
  });
});
