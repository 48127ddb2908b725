"use client";
// Site settings as a form: each field is one setting of the document, and saving applies the document (docs/adr/0048-site-document.md).
import { useStore } from "@tanstack/react-form";
import Link from "next/link";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { useUnsaved } from "@/components/frame/unsaved";
import { Button } from "@/components/ui/button";
import { Fields, type FieldSpec } from "@/components/ui/form/fields";
import { useAppForm } from "@/components/ui/form/form-kit";
import { Notice } from "@/components/ui/notice";
import { Time } from "@/components/ui/time/time";
import { routes } from "@/server/domain/console/routes";
import { siteDocument } from "@/server/domain/sites/document";
import { settingKind } from "@/server/domain/sites/setting-fields";
import { switchTexts } from "@/server/domain/sites/setting-text";
import type { SettingField, SettingSection } from "@/server/domain/sites/setting-fields";
import type { SettingChange, SiteApplied, SiteView } from "@/server/surfaces/trpc/types";
import { Section } from "@/components/sites/section";
import type { Draft } from "@/components/sites/apply-dialog";
import { DraftForm } from "@/components/sites/draft-form";
import {
  documentWith,
  editedTexts,
  fieldName,
  formSchema,
  textsOf,
  type Texts,
} from "@/components/sites/draft";

interface SettingsFormProps {
  /** The site as last read. */
  readonly view: SiteView;
  readonly sections: readonly SettingSection[];
  /** Why this user may not change settings. */
  readonly whyNot: string | undefined;
  /** The last change of each setting. */
  readonly changes: readonly SettingChange[];
}

/** Starts with the site's current settings. After a concurrent change, a form without edits follows it; one with edits shows a notice first. */
export function SettingsForm({ view, ...rest }: SettingsFormProps) {
  const [base, setBase] = useState(view);
  const [kept, setKept] = useState<Texts>({});
  const [edits, setEdits] = useState<Texts>({});
  /** The revision before our own save. It is no longer shown, even if a refetch that started earlier still returns it. */
  const [replaced, setReplaced] = useState<string | null>();
  /** Counts requests that await another person's approval; each resets the form to the site's current settings. */
  const [asked, setAsked] = useState(0);
  const isNewer = view.revision !== base.revision && view.revision !== replaced;
  const take = (texts: Texts) => {
    setKept(texts);
    setEdits(texts);
    setBase(view);
  };
  if (isNewer && Object.keys(edits).length === 0) take({});
  if (replaced !== undefined && view.revision !== replaced) setReplaced(undefined);
  const saved = ({ document }: Draft, { revision }: SiteApplied) => {
    setReplaced(base.revision);
    setBase({
      ...base,
      revision,
      document: { ...base.document, ...siteDocument.parse(JSON.parse(document)) },
    });
    setKept({});
    setEdits({});
  };
  const awaits = () => {
    setKept({});
    setEdits({});
    setAsked((times) => times + 1);
  };
  return (
    <>
      {isNewer && Object.keys(edits).length > 0 ? (
        <Notice
          tone="attention"
          act={
            <Button small onClick={() => take(edits)}>
              Load the current settings
            </Button>
          }
        >
          Site {view.site} was changed while you were editing. Your changes are kept.
        </Notice>
      ) : null}
      <SettingsFields
        key={`${base.revision} ${asked}`}
        base={base}
        kept={kept}
        onEdits={setEdits}
        onSaved={saved}
        onAwaits={awaits}
        {...rest}
      />
    </>
  );
}

/** Reports the edited texts, and returns whether there are any. */
function useEdits(values: Texts, base: Texts, onEdits: (texts: Texts) => void): boolean {
  useEffect(() => onEdits(editedTexts(values, base)), [onEdits, base, values]);
  return Object.keys(editedTexts(values, base)).length > 0;
}

const switchOptions = switchTexts.map((text) => ({ value: text, label: text }));

/** The control for a setting, chosen by the document's schema. */
function specOf({ label, path }: SettingField, hint: ReactNode): FieldSpec {
  const kind = settingKind(path);
  switch (kind.kind) {
    case "lines":
    case "mediaRules":
      return { label, hint, rows: 2, maxLength: 10_000 };
    case "switch":
      return { label, hint, options: switchOptions };
    case "choice":
      return { label, hint, options: kind.options.map((text) => ({ value: text, label: text })) };
    default:
      return { label, hint, short: true };
  }
}

interface SettingsFieldsProps extends Omit<SettingsFormProps, "view"> {
  readonly base: SiteView;
  readonly kept: Texts;
  readonly onEdits: (texts: Texts) => void;
  readonly onSaved: (draft: Draft, answer: SiteApplied) => void;
  readonly onAwaits: () => void;
}

/** The settings form; `draft` is what was submitted, until the dialog has applied it. */
function useSettings({ base, kept, sections }: Pick<SettingsFieldsProps, "base" | "kept" | "sections">) {
  const [texts] = useState(() => textsOf(base.document, sections));
  const [schema] = useState(() => formSchema(sections));
  const [draft, setDraft] = useState<Draft>();
  const form = useAppForm({
    defaultValues: texts,
    validators: { onChange: schema },
    onSubmit: ({ value }) =>
      setDraft({
        site: base.site,
        siteId: base.siteId,
        document: documentWith(base.document, schema.parse(value)),
        revision: base.revision,
      }),
  });
  useEffect(() => {
    for (const [name, text] of Object.entries(kept)) form.setFieldValue(name, text);
  }, [form, kept]);
  return { texts, schema, form, draft, setDraft };
}

function SettingsFields({
  base,
  kept,
  sections,
  whyNot,
  changes,
  onEdits,
  onSaved,
  onAwaits,
}: SettingsFieldsProps) {
  const { texts, schema, form, draft, setDraft } = useSettings({ base, kept, sections });
  const values = useStore(form.store, (state) => state.values);
  const isEdited = useEdits(values, texts, onEdits);
  useUnsaved(isEdited ? `The settings of site ${base.site} are not saved.` : undefined);
  return (
    <form.AppForm>
      <DraftForm
        schema={schema}
        whyNot={whyNot}
        submitWords="Save settings…"
        draft={draft}
        onApplied={onSaved}
        onAwaits={onAwaits}
        onClose={() => setDraft(undefined)}
        acts={
          isEdited ? (
            <Button small onClick={() => form.reset()}>
              Discard changes
            </Button>
          ) : undefined
        }
      >
        {sections.map((section) => (
          <Section key={section.title} section={section} disabled={whyNot !== undefined}>
            <Fields
              form={form}
              fields={Object.fromEntries(
                section.fields.map((field) => [
                  fieldName(field.path),
                  specOf(field, <Hint field={field} site={base.site} changes={changes} />),
                ]),
              )}
            />
          </Section>
        ))}
      </DraftForm>
    </form.AppForm>
  );
}

/** What the setting does, and who last changed it. */
function Hint({
  field: { path, hint },
  site,
  changes,
}: {
  readonly field: SettingField;
  readonly site: string;
  readonly changes: readonly SettingChange[];
}) {
  const last = changes.find((change) => change.path.join(".") === path);
  return (
    <>
      {hint}
      {last === undefined ? null : (
        <>
          {hint === undefined ? "" : " "}
          Changed <Time at={last.at} /> by {last.byName ?? "another change"},{" "}
          <Link className="link" href={routes.settings.history({ site, version: last.version })}>
            version {last.version}
          </Link>
          .
        </>
      )}
    </>
  );
}
