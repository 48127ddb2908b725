// Text that a person typed, as a part of a LIKE pattern.

/** Characters that LIKE takes specially stand for themselves. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

export const startingWith = (text: string): string => `${literal(text)}%`;

export const containing = (text: string): string => `%${literal(text)}%`;
