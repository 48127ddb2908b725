// A person as initials.

/** "SD" of "Sara Duarte"; the full name belongs beside it for screen readers. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => part.charAt(0))
    .slice(0, 2)
    .join("");
