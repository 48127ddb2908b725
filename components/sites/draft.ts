// Converts between typed texts and the site document that is applied. Pure.
import { z } from "zod";
import { isObject } from "@/server/domain/json";
import type { SiteDocument } from "@/server/domain/sites/document";
import type { SettingField, SettingSection } from "@/server/domain/sites/setting-fields";
import { readSetting, settingText } from "@/server/domain/sites/setting-text";
import type { SettingValue } from "@/server/domain/sites/setting-text";

/** Field texts by `fieldName`. */
export type Texts = Readonly<Record<string, string>>;

/** A setting's field name in the form, where dots would mean nested members. */
export const fieldName = (path: string): string => path.replaceAll(".", "/");

const valueAt = (document: SiteDocument, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      document,
    );

const fieldsOf = (sections: readonly SettingSection[]): readonly SettingField[] =>
  sections.flatMap(({ fields }) => fields);

export const textsOf = (document: SiteDocument, sections: readonly SettingSection[]): Texts =>
  Object.fromEntries(
    fieldsOf(sections).map(({ path }) => [fieldName(path), settingText(path, valueAt(document, path))]),
  );

/** Validates each field by the rule of the document's schema. */
export const formSchema = (sections: readonly SettingSection[]) =>
  z.object(
    Object.fromEntries(
      fieldsOf(sections).map(({ path, label }) => [
        fieldName(path),
        z.string().transform((text, context): SettingValue => {
          const read = readSetting(path, label, text);
          if (read.ok) return read.value;
          context.addIssue({ code: "custom", message: read.complaint });
          return z.NEVER;
        }),
      ]),
    ),
  );

/** The texts that differ from the base. */
export const editedTexts = (texts: Texts, base: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([name, text]) => text !== base[name]));

function changed(at: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const members = isObject(at) ? at : {};
  return { ...members, [name]: changed(members[name], rest, value) };
}

/** The document with these settings, as JSON. SKUs and tenants are left out: they belong to all sites, and a site's form does not show them. */
export function documentWith(
  { skus: _, tenants: __, ...document }: SiteDocument,
  values: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(
    Object.entries(values).reduce<unknown>(
      (sofar, [name, value]) => changed(sofar, name.split("/"), value),
      document,
    ),
  );
}
