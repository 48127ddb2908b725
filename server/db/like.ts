// Text that a person typed, as part of a LIKE pattern.

/** Escapes the characters that are special in LIKE. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

export const startingWith = (text: string): string => `${literal(text)}%`;

export const containing = (text: string): string => `%${literal(text)}%`;
