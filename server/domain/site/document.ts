// A site as a document: everything of it that people decide and the server reads (docs/adr/0048-site-document.md).
import { z } from "zod";
import { agentImage } from "@/server/domain/cleaning/agent-image";
import { mostPriority } from "@/server/domain/cleaning/plan/priorities";
import { defaultPolicy, policy } from "@/server/domain/cleaning/policy";
import { skuComponents } from "@/server/domain/inventory/sku";
import { typedProcedures } from "@/server/domain/procedures/procedure";
import { stepInterfaces } from "@/server/domain/cleaning/steps/step";
import { authority, bmcTrust, normalAuthorities } from "@/server/domain/site/authorities";

/** The policy of the server, in which an unknown member is a fault: stored policies keep those of other releases, documents are typed by people. */
const documentPolicy = z.strictObject({
  ...policy.shape,
  sanitization: z.strictObject({
    ...policy.shape.sanitization.shape,
    minimum: z.strictObject(policy.shape.sanitization.shape.minimum.shape),
  }),
  procedures: typedProcedures.default([]),
  requires: z.strictObject(policy.shape.requires.unwrap().shape),
  attempts: z.strictObject(policy.shape.attempts.shape),
  admission: z.strictObject(policy.shape.admission.shape),
  brake: z.strictObject(policy.shape.brake.shape),
  times: z.strictObject(policy.shape.times.shape),
});

const stepKey = new RegExp(`^(${stepInterfaces.join("|")})\\.[\\w-]{1,64}$`);

/** `interface.step` and its priority; 0 disables the step. */
const priorities = z.record(
  z.string().regex(stepKey, "must be interface.step, such as deploy.erase_nvme"),
  z.int().min(0).max(mostPriority),
);

const secretSources = ["fromEnv", "fromFile", "stored"] as const;

/** Where a secret comes from. The document never holds the secret itself. */
export const secretReference = z
  .strictObject({
    /** A variable in the environment of the command that applies the document. */
    fromEnv: z
      .string()
      .regex(/^[A-Za-z_]\w{0,127}$/, "must be the name of a variable")
      .exactOptional(),
    /** A file beside the document, without the line break at its end. */
    fromFile: z.string().min(1).max(1024).exactOptional(),
    /** The secret that the site has. */
    stored: z.literal(true).exactOptional(),
  })
  .refine(
    (reference) => secretSources.filter((source) => reference[source] !== undefined).length === 1,
    "must name one of fromEnv, fromFile and stored",
  );
export type SecretReference = z.infer<typeof secretReference>;

const networkController = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(500),
  /** What the server shows the network controller. */
  token: secretReference,
  /** What the network controller shows when it acknowledges; left out: it cannot. */
  acknowledgementToken: secretReference.exactOptional(),
});

const bmcCredential = z.strictObject({ username: z.string().min(1).max(128), password: secretReference });

const unique =
  <Item>(idOf: (item: Item) => string, member: string) =>
  (items: readonly Item[], context: z.RefinementCtx): void => {
    const seen = new Map<string, number>();
    items.forEach((item, index) => {
      const first = seen.get(idOf(item));
      if (first === undefined) seen.set(idOf(item), index);
      else
        context.addIssue({
          code: "custom",
          path: [index, member],
          message: `${idOf(item)} is in the list twice`,
        });
    });
  };

const name = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .refine((text) => text.trim() === text, "must not begin or end with a space");

export const skuEntry = z.strictObject({
  name: name(128),
  components: skuComponents,
  priorities: priorities.default({}),
});
export type SkuEntry = z.infer<typeof skuEntry>;

export const tenantEntry = z.strictObject({
  /** Names it in addresses and never changes. */
  org: name(128).refine((text) => !/[\s/]/.test(text), "must have no spaces and slashes"),
  name: name(128),
  /** Whether can hold hosts of this site. */
  networkAllocation: z.boolean().default(true),
  /** Whether it may repair hosts of this site: claim one exact host, and end its repair. */
  targetedInstanceCreation: z.boolean().default(false),
  /** How many instances it may hold; null: no limit. */
  instanceQuota: z.int().min(0).max(1_000_000).nullable().default(null),
});
export type TenantEntry = z.infer<typeof tenantEntry>;

export const siteDocument = z.strictObject({
  /** Of the document, so that a later one can be told from it. */
  format: z.literal(1),
  site: name(64),
  /** What `export` said: the document is applied only while the site is still so. */
  revision: z.string().min(1).max(64).exactOptional(),
  networkController: networkController.exactOptional(),
  /** User names and passwords that BMCs of the site share, by the name by which hosts name them. Left out: there are none. */
  bmcCredentials: z.record(name(64), bmcCredential).exactOptional(),
  /** Whose certificate a BMC may show. */
  bmcTrust: bmcTrust.default("pinOrAuthority"),
  /** Certificate authorities by name. Left out: those of the server's system. */
  authorities: z.record(name(64), authority).exactOptional(),
  policy: documentPolicy,
  priorities: priorities.default({}),
  /** Left out: hosts boot the image of RECLAIM_BOOT_IMAGE_URL. */
  agentImage: agentImage.exactOptional(),
  /** Of all sites. Left out: not this document's. */
  skus: z
    .array(skuEntry)
    .max(1_000)
    .superRefine(unique<SkuEntry>((sku) => sku.name, "name"))
    .exactOptional(),
  /** Of all sites. Left out: not this document's. */
  tenants: z
    .array(tenantEntry)
    .max(10_000)
    .superRefine(unique<TenantEntry>((tenant) => tenant.org, "org"))
    .exactOptional(),
});
export type SiteDocument = z.infer<typeof siteDocument>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `given`, with the members of `usual` that it leaves out, at every depth. Lists are taken as they are. */
function withDefaults(usual: unknown, given: unknown): unknown {
  if (given === undefined) return usual;
  if (!isObject(usual) || !isObject(given)) return given;
  return Object.fromEntries(
    [...new Set([...Object.keys(usual), ...Object.keys(given)])].map((key) => [
      key,
      Object.hasOwn(given, key) ? withDefaults(usual[key], given[key]) : usual[key],
    ]),
  );
}

/** What a person wrote, with the default policy where they say nothing. Pure. */
export const completed = (raw: unknown): unknown =>
  isObject(raw) ? { ...raw, policy: withDefaults(defaultPolicy(), raw.policy) } : raw;

const stored: SecretReference = { stored: true };
const byId =
  <Item>(idOf: (item: Item) => string) =>
  (a: Item, b: Item): number =>
    idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0;

/**
 * The document as it is stored, compared and exported: lists by id, no secret's source, no revision. Two documents that mean the same have the same
 * normal form. Pure.
 */
export function normalForm({
  revision: _,
  bmcCredentials,
  authorities = {},
  ...document
}: SiteDocument): SiteDocument {
  const { networkController: controller, skus, tenants } = document;
  const credentials = Object.entries(bmcCredentials ?? {});
  return {
    ...document,
    ...(credentials.length === 0
      ? {}
      : {
          bmcCredentials: Object.fromEntries(
            credentials.map(([set, { username }]) => [set, { username, password: stored }]),
          ),
        }),
    ...(Object.keys(authorities).length === 0 ? {} : { authorities: normalAuthorities(authorities) }),
    ...(controller === undefined
      ? {}
      : {
          networkController: {
            url: controller.url,
            token: stored,
            ...(controller.acknowledgementToken === undefined ? {} : { acknowledgementToken: stored }),
          },
        }),
    ...(skus === undefined ? {} : { skus: [...skus].sort(byId(({ name }) => name)) }),
    ...(tenants === undefined ? {} : { tenants: [...tenants].sort(byId(({ org }) => org)) }),
  };
}

/** How a secret's value is named beside the document; null: it is not given, because the site has it. */
export const secretName = ({ fromEnv, fromFile }: SecretReference): string | null =>
  fromEnv !== undefined ? `env:${fromEnv}` : fromFile !== undefined ? `file:${fromFile}` : null;

export interface NamedReference {
  readonly path: readonly string[];
  readonly reference: SecretReference;
}

/** Every reference to a secret, with where it stands. Pure. */
export const secretReferences = ({
  networkController: controller,
  bmcCredentials,
}: SiteDocument): readonly NamedReference[] => [
  ...(controller === undefined
    ? []
    : [{ path: ["networkController", "token"], reference: controller.token }]),
  ...(controller?.acknowledgementToken === undefined
    ? []
    : [{ path: ["networkController", "acknowledgementToken"], reference: controller.acknowledgementToken }]),
  ...Object.entries(bmcCredentials ?? {}).map(([set, { password }]) => ({
    path: ["bmcCredentials", set, "password"],
    reference: password,
  })),
];
