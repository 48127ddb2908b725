// Which characters the PDF's fonts can draw.
import fonts from "@/server/domain/assurance/certificates/pdf/fonts.json";

const isCovered = (code: number): boolean =>
  fonts.covers.some(([from = 0, to = 0]) => code >= from && code <= to);

/**
 * Text that the fonts can draw. A missing character would appear as an empty box, which PDF/A forbids (ISO 19005-3, 6.2.11.8), and a character that changes
 * the text direction could make a line read differently. Both are replaced by their code points.
 */
export const drawable = (text: string): string =>
  [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      return isCovered(code) ? character : `\\u{${code.toString(16)}}`;
    })
    .join("");
