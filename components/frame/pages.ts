// The pages of the console: their words, addresses and keys, once for rail, palette and keyboard.

export interface ConsolePage {
  href: string;
  words: string;
  /** Pressed after `g`. */
  key: string;
}

export const pages = {
  fleet: { href: "/", words: "Fleet", key: "f" },
  hosts: { href: "/hosts", words: "Hosts", key: "h" },
  instances: { href: "/instances", words: "Instances", key: "i" },
  cleaning: { href: "/cleaning", words: "Cleaning", key: "c" },
} as const satisfies Record<string, ConsolePage>;

export type PageName = keyof typeof pages;

/** Whether a path lies on a page or below it. */
export function isOn(page: ConsolePage, path: string): boolean {
  return page.href === "/" ? path === "/" : path === page.href || path.startsWith(`${page.href}/`);
}
