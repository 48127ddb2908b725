// The one judgement of a measured boot, in SQL (docs/adr/0150-measured-boot.md): when its quote comes, and for all hosts of a site when a bundle changes.

/** A bundle counts once another person approved it. `b`: the bundle, `a`: its approval. */
export const bundleStands = `a.decision = 'approved' AND a.voided_at IS NULL`;

/**
 * The bundle that decides about the values `pcrs`, for a LATERAL join: one row with `id` and `state` of the measurement. What somebody revoked fails whatever
 * else passes; what was retired fails unless another bundle passes. `host`: a row of `host`.
 */
export const judgedBy = (host: string, pcrs: string): string => `(
  SELECT (array_agg(b.id ORDER BY o.place, b.created_at, b.id))[1] AS id,
    CASE (array_agg(b.state ORDER BY o.place, b.created_at, b.id))[1]
      WHEN 'Active' THEN 'Measured' WHEN 'Obsolete' THEN 'Measured' WHEN 'Retired' THEN 'MeasuringFailed' WHEN 'Revoked' THEN 'MeasuringFailed'
      ELSE 'PendingBundle' END AS state
  FROM attestation_bundle b JOIN approval a ON a.id = b.approval_id
    CROSS JOIN LATERAL (SELECT array_position(ARRAY['Revoked', 'Active', 'Obsolete', 'Retired'], b.state) AS place) o
  WHERE b.site_id = ${host}.site_id AND b.manufacturer = coalesce(${host}.manufacturer, '') AND b.model = coalesce(${host}.model, '')
    AND ${pcrs} @> b.pcrs -- safety: attestation: every value that the bundle expects → AND true
    AND ${bundleStands} -- safety: attestation: a bundle that two people agreed on → AND true
)`;
