// Formatting is Prettier's, so that nobody argues about it; SQL in templates stays as its author wrote it.

/** @type {import("prettier").Config} */
const config = { printWidth: 110, embeddedLanguageFormatting: "off" };

export default config;
