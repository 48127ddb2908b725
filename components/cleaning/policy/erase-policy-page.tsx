"use client";
// A site's erase policy: presets with their sources, standard, levels and techniques, and the effect of a change before it is saved.
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { type AnyFormApi, useStore } from "@tanstack/react-form";
import { Fragment, useState } from "react";
import { useMe } from "@/components/frame/me";
import { SitePageFrame } from "@/components/sites/settings-head";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { useAppForm } from "@/components/ui/form/form-kit";
import { PageForm } from "@/components/ui/form/page-form";
import { reachOf } from "@/server/domain/access/access";
import { routes } from "@/server/domain/console/routes";
import { presetNames, presets } from "@/server/domain/cleaning/policy/presets";
import type { PolicyEffects, SitePolicyView } from "@/server/surfaces/trpc/types";
import {
  type EraseForm,
  eraseSchema,
  type EraseValues,
  formOf,
  levelLabels,
  mediaKinds,
  mediaLabels,
  notCounting,
  presetOfForm,
  standardLabels,
} from "@/components/cleaning/policy/erase-form";
import { calculatingWords, effectOf } from "@/components/cleaning/policy/effect";
import { EraseEffect } from "@/components/cleaning/policy/erase-effect";
import { formatCounted } from "@/server/domain/numbers";
import { ActDialog } from "@/components/ui/dialogs/act-dialog";
import { DialogButton } from "@/components/ui/dialogs/dialog-button";
import { Fields } from "@/components/ui/form/fields";
import { levels, standards } from "@/server/domain/cleaning/sanitization/techniques";

interface EraseFieldsProps {
  readonly form: AnyFormApi;
  /** The form's current values, for the texts that depend on them. */
  readonly values: EraseForm;
}

/** The fields of an erase policy: the standard, and for each medium its level and techniques. */
const EraseFields = ({ form, values }: EraseFieldsProps) => (
  <>
    <Fields
      form={form}
      fields={{
        standard: {
          label: "Standard",
          options: standards.map((value) => ({ value, label: standardLabels[value] })),
        },
      }}
    />
    {mediaKinds.map((media) => (
      <fieldset key={media}>
        <legend className="sec">{mediaLabels[media]}</legend>
        <Fields
          form={form}
          fields={{
            [`minimum.${media}`]: {
              label: `Minimum level, ${mediaLabels[media]}`,
              options: levels.map((value) => ({ value, label: levelLabels[value] })),
            },
            [`techniques.${media}`]: {
              label: `Techniques in order, ${mediaLabels[media]}`,
              aside: "one per line",
              hint: countHint(values, media),
              maxLength: 2_000,
              mono: true,
              rows: 8,
            },
          }}
        />
      </fieldset>
    ))}
    <Fields
      form={form}
      fields={{
        fallback: { label: "Fallback", aside: "if a drive refuses a technique, try the next one" },
      }}
    />
  </>
);

function countHint(values: EraseForm, media: (typeof mediaKinds)[number]) {
  const words = notCounting(values, media);
  return words.length === 0
    ? undefined
    : `Below the minimum level, so a drive erased by it fails: ${words.join(", ")}`;
}

interface SaveEraseProps {
  readonly told: PolicyEffects;
  /** Exactly the policy whose effect was shown. */
  readonly erase: EraseValues;
  readonly whyNot: string | undefined;
}

/** Saves an erase policy after its effect was shown. */
function SaveErase({ whyNot, told, erase }: SaveEraseProps) {
  const { site, siteId, policyVersion } = told;
  const cannot = told.models.reduce((sum, model) => sum + model.cannot, 0);
  return (
    <div className="acts left">
      <DialogButton
        kind="main"
        small={false}
        disabledReason={whyNot}
        dialog={(onClose) => (
          <ActDialog
            title={`Set the erase policy of site ${site}?`}
            consequence={`${
              cannot === 0
                ? ""
                : `${formatCounted(cannot, "known drive")} cannot meet it: their hosts will stop. `
            }Reclamations in progress keep the policy they started with.`}
            confirmWords="Save policy"
            reason
            send={({ reason }, client) =>
              client.policy.setErase.mutate({ siteId, policyVersion, erase, reason })
            }
            said={(saved) => `Policy version ${saved.policyVersion} of site ${site} saved.`}
            stale={(trpc) => [trpc.cleaning.sitePolicy, trpc.site, trpc.policy]}
            onClose={onClose}
          />
        )}
      >
        Save policy…
      </DialogButton>
    </div>
  );
}

export function ErasePolicyPage() {
  return (
    <SitePageFrame what="erase policy of site" hrefOf={routes.settings.erase}>
      {({ id }) => <OfSite siteId={id} />}
    </SitePageFrame>
  );
}

/** Resets the form for each version of the policy. */
function OfSite({ siteId }: { readonly siteId: string }) {
  const trpc = useTRPC();
  const { data: view } = useSuspenseQuery(trpc.cleaning.sitePolicy.queryOptions({ siteId }));
  return <Editor key={view.version} view={view} />;
}

function Editor({ view }: { readonly view: SitePolicyView }) {
  const { sanitization } = view.policy;
  const [asked, setAsked] = useState<EraseValues>();
  const [base] = useState(() =>
    formOf({ ...sanitization, techniques: sanitization.erase.techniques }, sanitization.erase.fallback),
  );
  const form = useAppForm({
    defaultValues: base,
    validators: { onChange: eraseSchema },
    onSubmit: ({ value }) => setAsked(eraseSchema.parse(value)),
  });
  const values = useStore(form.store, (state) => state.values);
  const now = JSON.stringify(eraseSchema.safeParse(values).data);
  return (
    <>
      <Presets values={values} onTake={(next) => form.reset(next, { keepDefaultValues: true })} />
      <form.AppForm>
        <PageForm
          className="erase-policy"
          schema={eraseSchema}
          problem={undefined}
          submitWords="Calculate the effect"
        >
          <EraseFields form={form} values={values} />
        </PageForm>
      </form.AppForm>
      {asked === undefined ? null : (
        <Effect siteId={view.siteId} erase={asked} edited={now !== JSON.stringify(asked)} />
      )}
    </>
  );
}

function Presets({
  values,
  onTake,
}: {
  readonly values: EraseForm;
  readonly onTake: (next: EraseForm) => void;
}) {
  const current = presetOfForm(values);
  return (
    <>
      <div className="sec">
        <h2>Presets</h2>
        <span className="sum cut">
          {current === null
            ? "the policy below matches none of them"
            : `the policy below matches ${presets[current].label}`}
        </span>
      </div>
      <dl className="pairs presets">
        {presetNames.map((name) => (
          <Fragment key={name}>
            <dt>
              <Button
                small
                disabledReason={current === name ? "Already in the form" : undefined}
                onClick={() => onTake(formOf(presets[name], true))}
              >
                {presets[name].label}
              </Button>
            </dt>
            <dd>
              {presets[name].summary}{" "}
              <a className="link" href={presets[name].source.href} rel="noreferrer">
                {presets[name].source.words}
              </a>
            </dd>
          </Fragment>
        ))}
      </dl>
      <div className="sec">
        <h2>Policy</h2>
      </div>
    </>
  );
}

interface EffectProps {
  readonly siteId: string;
  readonly erase: EraseValues;
  /** The form was edited after this effect was calculated. */
  readonly edited: boolean;
}

function Effect({ siteId, erase, edited }: EffectProps) {
  const trpc = useTRPC();
  const me = useMe();
  const query = useQuery(trpc.policy.preview.queryOptions({ siteId, erase }));
  const { data, isFetching } = query;
  const whyNot =
    reachOf(me.role, "cleaning.override") !== "any"
      ? "Only a provider admin can change the policy"
      : edited
        ? "The form was changed: calculate the effect again"
        : undefined;
  const content =
    data === undefined ? undefined : (
      <>
        <EraseEffect told={data} />
        <SaveErase told={data} erase={erase} whyNot={whyNot} />
      </>
    );
  const head = (
    <div className="sec">
      <h2>What would change</h2>
      <span className="sum cut">
        {isFetching ? calculatingWords : "from recorded erases and reported capabilities"}
      </span>
    </div>
  );
  return effectOf(query, content, { head }).effect;
}
