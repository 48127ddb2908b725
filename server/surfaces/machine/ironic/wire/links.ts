// Addresses within answers (docs/api-ironic.md#nodes-reading).

export interface Link {
  readonly href: string;
  readonly rel: "self" | "bookmark";
}

/** Of one thing, or of a collection (`path` such as `nodes/…`). */
export const linksTo = (baseUrl: string, path: string): readonly Link[] => [
  { href: `${baseUrl}/v1/${path}`, rel: "self" },
  { href: `${baseUrl}/${path}`, rel: "bookmark" },
];
