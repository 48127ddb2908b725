// The filter of the certificates in the URL, and the list query, shared by the server's prefetch and the browser.
import type { useTRPC } from "@/components/trpc/trpc";
import { standings, type Standing } from "@/server/domain/assurance/standing";

type Trpc = ReturnType<typeof useTRPC>;

const perPage = 100;

/** Texts in the order of the form. */
export const searchFields = ["host", "tenant", "site", "sku", "instance"] as const;
export type SearchField = (typeof searchFields)[number];

/** Every field is present, empty if unset, as the form shows it. Days are in UTC; `until` is the last day. */
export type CertificatesFilter = Readonly<Record<SearchField | "since" | "until", string>> & {
  readonly standing: Standing | null;
};

const dayForm = /^\d{4}-\d\d-\d\d$/;
const day = (text: string): string =>
  dayForm.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) ? text : "";

/** Values that the server would reject are left out. */
export function parseFilter(search: { get: (name: string) => string | null }): CertificatesFilter {
  const text = (name: string) => (search.get(name) ?? "").trim().slice(0, 128);
  return {
    host: text("host"),
    tenant: text("tenant"),
    site: text("site"),
    sku: text("sku"),
    instance: text("instance"),
    standing: standings.find((standing) => standing === text("standing")) ?? null,
    since: day(text("since")),
    until: day(text("until")),
  };
}

const orNone = (text: string): string | undefined => (text === "" ? undefined : text);
const dayMs = 86_400_000;

export const listInput = ({ standing, since, until, ...texts }: CertificatesFilter) => ({
  host: orNone(texts.host),
  tenant: orNone(texts.tenant),
  site: orNone(texts.site),
  sku: orNone(texts.sku),
  instance: orNone(texts.instance),
  standing: standing ?? undefined,
  since: since === "" ? undefined : new Date(`${since}T00:00:00Z`),
  until: until === "" ? undefined : new Date(Date.parse(`${until}T00:00:00Z`) + dayMs),
  limit: perPage,
});

export const isFiltered = (filter: CertificatesFilter): boolean =>
  Object.values(filter).some((value) => value !== "" && value !== null);

/** The same search for the file. */
export function csvSearch(filter: CertificatesFilter) {
  const { limit: _limit, since, until, ...texts } = listInput(filter);
  return { ...texts, since: since?.toISOString(), until: until?.toISOString() };
}

export const certificatesQuery = (trpc: Pick<Trpc, "certificates">, filter: CertificatesFilter) =>
  trpc.certificates.list.infiniteQueryOptions(listInput(filter), {
    getNextPageParam: ({ nextCursor }) => nextCursor,
    initialCursor: null,
  });
