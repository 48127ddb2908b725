// Formatting is Prettier's, so that nobody argues about it; SQL in templates stays as its author wrote it.

/** @type {import("prettier").Config} */
const config = {
  printWidth: 110,
  embeddedLanguageFormatting: "off",
  // The same printer from a parser that takes two thirds of the time; types are not its business (docs/adr/0091-fewer-processes-in-tests.md).
  overrides: [{ files: ["*.ts", "*.tsx"], options: { parser: "babel-ts" } }],
};

export default config;
