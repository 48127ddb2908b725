// A site as a document: everything that people decide about it and the server reads (docs/adr/0048-site-document.md).
import { z } from "zod";
import { agentImage } from "@/server/domain/cleaning/images/agent-image";
import { maxPriority } from "@/server/domain/cleaning/plan/priorities";
import { defaultPolicy, policy } from "@/server/domain/cleaning/policy/policy";
import { skuComponents } from "@/server/domain/hosts/inventory/sku";
import { typedProcedures } from "@/server/domain/assurance/procedures/procedure";
import { knownMembers } from "@/server/domain/stored";
import { stepInterfaces } from "@/server/domain/cleaning/steps/step";
import { authority, bmcTrust, normalAuthorities } from "@/server/domain/sites/authorities";

/** The server's policy, with unknown members as faults: people type documents, while stored policies keep members of other releases. */
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
  z.int().min(0).max(maxPriority),
);

const secretSources = ["fromEnv", "fromFile", "stored"] as const;

/** Where a secret comes from. The document itself never contains the secret. */
export const secretReference = z
  .strictObject({
    /** A variable in the environment of the command that applies the document. */
    fromEnv: z
      .string()
      .regex(/^[A-Za-z_]\w{0,127}$/, "must be the name of a variable")
      .exactOptional(),
    /** A file next to the document, without its trailing line break. */
    fromFile: z.string().min(1).max(1024).exactOptional(),
    /** The secret that the site already has. */
    stored: z.literal(true).exactOptional(),
  })
  .refine(
    (reference) => secretSources.filter((source) => reference[source] !== undefined).length === 1,
    "must name one of fromEnv, fromFile and stored",
  );
export type SecretReference = z.infer<typeof secretReference>;

const networkController = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(500),
  /** What the server authenticates with at the network controller. */
  token: secretReference,
  /** What the network controller authenticates with when it acknowledges; left out: it cannot. */
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
  /** Used in addresses, and never changes. */
  org: name(128).refine((text) => !/[\s/]/.test(text), "must have no spaces and slashes"),
  name: name(128),
  /** Whether the tenant can hold hosts of this site. */
  networkAllocation: z.boolean().default(true),
  /** Whether it may repair hosts of this site: claim one by id, and end its repair. */
  targetedInstanceCreation: z.boolean().default(false),
  /** How many instances it may hold; null: no limit. */
  instanceQuota: z.int().min(0).max(1_000_000).nullable().default(null),
});
export type TenantEntry = z.infer<typeof tenantEntry>;

/** Where a site is. NICo's clients take it for the region of its hosts. */
export const siteLocation = z.strictObject({
  city: name(128).exactOptional(),
  state: name(128).exactOptional(),
  country: name(128).exactOptional(),
});
export type SiteLocation = z.infer<typeof siteLocation>;

/** As stored, read without what only another release knows. */
export const storedLocation = knownMembers(siteLocation);

export const siteDocument = z.strictObject({
  /** Version of the document's format. */
  format: z.literal(1),
  site: name(64),
  /** From `export`: the document is applied only if the site has not changed since. */
  revision: z.string().min(1).max(64).exactOptional(),
  /** Left out: not said. */
  location: siteLocation.exactOptional(),
  networkController: networkController.exactOptional(),
  /** User names and passwords shared by BMCs of the site, by the name that hosts refer to. Left out: none. */
  bmcCredentials: z.record(name(64), bmcCredential).exactOptional(),
  /** Which certificates BMCs may present. */
  bmcTrust: bmcTrust.default("pinOrAuthority"),
  /** Certificate authorities by name. Left out: those of the server's system. */
  authorities: z.record(name(64), authority).exactOptional(),
  policy: documentPolicy,
  priorities: priorities.default({}),
  /** Left out: hosts boot the image of RECLAIM_BOOT_IMAGE_URL. */
  agentImage: agentImage.exactOptional(),
  /** Shared by all sites. Left out: not managed by this document. */
  skus: z
    .array(skuEntry)
    .max(1_000)
    .superRefine(unique<SkuEntry>((sku) => sku.name, "name"))
    .exactOptional(),
  /** Shared by all sites. Left out: not managed by this document. */
  tenants: z
    .array(tenantEntry)
    .max(10_000)
    .superRefine(unique<TenantEntry>((tenant) => tenant.org, "org"))
    .exactOptional(),
});
export type SiteDocument = z.infer<typeof siteDocument>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `given`, plus the members of `usual` that it lacks, at every depth. Lists are taken as they are. */
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

/** What a person wrote, completed with the default policy. Pure. */
export const completed = (raw: unknown): unknown =>
  isObject(raw) ? { ...raw, policy: withDefaults(defaultPolicy(), raw.policy) } : raw;

const stored: SecretReference = { stored: true };
const byId =
  <Item>(idOf: (item: Item) => string) =>
  (a: Item, b: Item): number =>
    idOf(a) < idOf(b) ? -1 : idOf(a) > idOf(b) ? 1 : 0;

/**
 * The document as stored, compared and exported: lists sorted by id, without the sources of secrets and without revision. Equivalent documents have the same
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

/** The name under which a secret's value is passed along with the document; null: it is not passed, because the site has it. */
export const secretName = ({ fromEnv, fromFile }: SecretReference): string | null =>
  fromEnv !== undefined ? `env:${fromEnv}` : fromFile !== undefined ? `file:${fromFile}` : null;

export interface NamedReference {
  readonly path: readonly string[];
  readonly reference: SecretReference;
}

/** Every reference to a secret, with its path. Pure. */
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
