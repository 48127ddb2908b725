// What a person confirmed that a host's BMC calls it, too, in SQL (docs/machine-names.md).

/** As JSON: `confirmedNames` of `domain/hosts/record/host.ts`. `hostId`: an expression. */
export const confirmedNames = (hostId: string): string => `(
  SELECT json_build_object(
    'serials', coalesce(json_agg(c.value) FILTER (WHERE c.kind = 'serial'), '[]'),
    'systemUuids', coalesce(json_agg(c.value) FILTER (WHERE c.kind = 'uuid'), '[]'))
  FROM host_name c WHERE c.host_id = ${hostId}
    AND c.confirmed_at IS NOT NULL -- safety: names: what nobody confirmed is no name → AND true
    AND c.source = 'bmc' -- safety: names: a BMC goes by what a BMC told → AND true
  )`;
