// Checks whether a text is an id before it is compared with one.

const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Pure. */
export const isUuid = (text: string): boolean => shape.test(text);
