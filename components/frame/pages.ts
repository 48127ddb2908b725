// The pages of the console: their words, addresses and keys, once for rail, palette and keyboard.
import { isBelow, routes } from "@/server/domain/console/routes";

export interface ConsolePage {
  href: string;
  words: string;
  /** Pressed after `g`. */
  key: string;
}

export const pages = {
  fleet: { href: routes.fleet(), words: "Fleet", key: "f" },
  hosts: { href: routes.hosts(), words: "Hosts", key: "h" },
  instances: { href: routes.instances(), words: "Instances", key: "i" },
  cleaning: { href: routes.cleaning.steps(), words: "Cleaning", key: "c" },
} satisfies Record<string, ConsolePage>;

export type PageName = keyof typeof pages;

/** Whether a path lies on a page or below it. */
export function isOn(page: ConsolePage, path: string): boolean {
  return isBelow(page.href, path);
}
