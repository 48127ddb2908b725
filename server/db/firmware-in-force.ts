// Which firmware is wanted of a host, in SQL: its SKU's, or that of a rollout which let it in (docs/adr/0148-firmware-rollouts.md).

/**
 * Of `host h` and its `sku u`: the list in place of the SKU's, and the files for it. No row: the SKU's own list counts, without files. A rollout that was
 * finished wrote its list into the SKU, and lends its files as long as that stands; any other counts for the hosts that it let in, as long as the SKU's list
 * is the one that it found.
 */
export const firmwareInForce = `(
  SELECT x.firmware, x.images
  FROM firmware_rollout x JOIN approval a ON a.id = x.approval_id
    LEFT JOIN firmware_rollout_host t ON t.rollout_id = x.id AND t.host_id = h.id AND t.takes
  WHERE x.sku_id = u.id AND (t.takes OR x.outcome = 'finished')
    AND a.decision = 'approved' -- safety: claim: a rollout counts once another person approved it
    AND a.voided_at IS NULL
    AND (CASE WHEN x.outcome = 'finished' THEN x.firmware ELSE x.over END) = u.components #> '{baseline,firmware}' -- safety: claim: a rollout counts over the list that it found
  ORDER BY x.created_at DESC LIMIT 1)`;

/** What the SKU `u` wants of the host, with `w` the row of `firmwareInForce`. */
export const componentsInForce = `CASE WHEN w.firmware IS NULL THEN u.components ELSE jsonb_set(u.components, '{baseline,firmware}', w.firmware) END`;

/** Of `firmware_rollout x` and its `approval a`: open, and approved by another person. */
export const rolloutIsOpen = `x.ended_at IS NULL AND a.voided_at IS NULL
  AND a.decision = 'approved' -- safety: rollout: no host is let in before another person approved it
  `;

/** How `host h` with its `host_run r` stands in the rollout of `t`, its row of `firmware_rollout_host` or null: `RolloutHostState`. */
export const rolloutHostState = `CASE
  WHEN t.done_at IS NOT NULL THEN 'done'
  WHEN t.takes AND r.state LIKE 'Failed/%' THEN 'failed'
  WHEN t.takes AND EXISTS (SELECT FROM reclamation c WHERE c.id = t.reclamation_id AND c.ended_at IS NULL) THEN 'running'
  ELSE 'pending' END`;
