// Commits the decisions about a batch of hosts in one fenced statement: each host completely or not at all (docs/design/datapath.md#commit).
// A quoted name is a field of the payload, an unquoted one a column (docs/adr/0040-the-host-record-once.md).
import { assignments, columnNames, excluded, payloadColumns, values } from "@/server/db/hot/host/columns";
import { jsonText } from "@/server/db/hot/json-text";
import { byKey, named } from "@/server/db/hot/pool";
import type { HotDatabase } from "@/server/db/hot/pool";
import { reclamationBegun, reclamationChanges, stepChanges } from "@/server/domain/hosts/record/reclamation";
import { runReplaced } from "@/server/domain/hosts/record/run";
import { commitLists as lists } from "@/server/domain/hosts/record/written";
import type { CommitPayload } from "@/server/domain/hosts/record/written";

/** Typed rows of a payload list. */
const payload = (list: keyof CommitPayload): string =>
  `jsonb_to_recordset($2::jsonb -> '${list}') AS i(${payloadColumns(lists[list])})`;

/** The same, joined to the hosts whose fence held. */
const rows = (list: keyof CommitPayload): string =>
  `${payload(list)} JOIN fenced f ON f.host_id = i."hostId"`;

/** For a field that is written only if a flag in the payload says so. */
const kept = (field: string, flag: string): string =>
  `CASE WHEN i."${flag}" THEN i."${field}" ELSE r.${field} END`;
const maintenance = kept("maintenance", "maintenanceSet");
const touched = kept("touched", "touchedSet");

/** Progress of the running step: null without a step, and null for a step that begins. */
const progress = (field: string, column: string): string => `CASE
        WHEN i."cleanStep" IS NULL THEN NULL WHEN i."cleanSet" THEN i."${field}"
        WHEN i."cleanBegins" THEN NULL ELSE r.${column} END`;

// Hosts are locked in the order of their ids, as in the other frequent statements about many hosts, so that two of them wait instead of deadlocking.
const statement = named<{ host_id: string }, [string, string]>(
  "commit_hosts",
  `
  WITH input AS (
    SELECT * FROM ${payload("runs")}
  ), fenced AS (
    UPDATE host_run r SET
      ${assignments(runReplaced)},
      state_version = r.state_version + i."entered",
      state_since = CASE WHEN i."entered" > 0 THEN now() ELSE r.state_since END,
      due_at = CASE
        WHEN r.wake_seq <> i."wakeSeq" THEN now() -- safety: commit: a signal that came meanwhile wakes
        ELSE to_timestamp(i."dueAtMs" / 1000.0) END,
      lease_owner = CASE WHEN i."keepLease" THEN r.lease_owner END,
      lease_until = CASE WHEN i."keepLease" THEN r.lease_until END,
      maintenance = ${maintenance},
      maintenance_by = CASE WHEN i."maintenanceSet" THEN i."maintenanceBy" ELSE r.maintenance_by END,
      maintenance_reason = CASE WHEN i."maintenanceSet" THEN i."maintenanceReason" ELSE r.maintenance_reason END,
      touched = ${touched},
      allocatable = i."allocatable" AND NOT (${touched}) AND NOT (${maintenance})
        AND (r.allocatable OR (i."state" = 'Ready' AND r.state <> 'Ready')),
      clean_percent = ${progress("cleanPercent", "clean_percent")},
      clean_message = ${progress("cleanMessage", "clean_message")},
      command = ${kept("command", "commandSet")},
      command_epoch = CASE WHEN i."commandSet" THEN i."commandEpoch" ELSE r.command_epoch END,
      erasing = ${kept("erasing", "erasingSet")}
    FROM (SELECT * FROM input ORDER BY "hostId" ${byKey}) i
    WHERE r.host_id = i."hostId"
      AND r.generation = i."generation" -- safety: commit: generation
      AND r.lease_owner = $1::uuid -- safety: commit: lease owner
      AND r.lease_until > clock_timestamp() -- safety: commit: lease not over
      AND (i."expectEvidenceSeq" IS NULL OR r.evidence_seq = i."expectEvidenceSeq") -- safety: commit: evidence has not moved
      AND (NOT i."strict" OR r.wake_seq = i."wakeSeq") -- safety: commit: nothing came meanwhile, where that matters
    RETURNING r.host_id, r.generation, r.state_version, r.evidence_seq
  ), ended AS (
    UPDATE reclamation c SET ended_at = now(), outcome = i."outcome", standing = i."standing", message = coalesce(i."message", c.message)
    FROM ${rows("ended")} WHERE c.id = i."id"
  ), reclamations AS (
    INSERT INTO reclamation AS c (host_id, host_serial, ${columnNames(reclamationBegun)},
      ${columnNames(reclamationChanges)},
      started_at, ended_at, outcome, standing, policy, devices, content, content_read, plan, platform)
    SELECT i."hostId", i."hostSerial", ${values(reclamationBegun)},
      ${values(reclamationChanges)},
      now(), CASE WHEN i."outcome" IS NOT NULL THEN now() END, i."outcome", i."standing",
      i."policy", i."devices", i."content", i."contentRead", i."plan", i."platform"
    FROM ${rows("reclamations")} WHERE i."isNew"
  ), reclamation_changes AS (
    UPDATE reclamation c SET ${assignments(reclamationChanges)},
      ended_at = CASE WHEN i."outcome" IS NOT NULL THEN now() END, outcome = i."outcome", standing = i."standing",
      -- A document that is written is stored anew, its parts in the TOAST table too: those that are as they were stay where they are.
      devices = CASE WHEN i."devicesSet" THEN i."devices" ELSE c.devices END,
      plan = CASE WHEN i."planSet" THEN i."plan" ELSE c.plan END,
      platform = CASE WHEN i."platformSet" THEN i."platform" ELSE c.platform END,
      content = CASE WHEN i."contentSet" THEN i."content" ELSE c.content END, content_read = i."contentRead"
    FROM ${rows("reclamations")} WHERE NOT i."isNew" AND c.id = i."id"
  ), history AS (
    INSERT INTO state_history (host_id, version, state, reason, causes, reclamation_id, generation, controller_id)
    SELECT i."hostId", f.state_version - i."entered" + i."n", i."state", i."reason", i."causes",
      i."reclamationId", f.generation, $1::uuid
    FROM ${rows("history")}
  ), steps AS (
    INSERT INTO step_run AS t (${columnNames(lists.steps)}) SELECT ${values(lists.steps)} FROM ${rows("steps")}
    ON CONFLICT (id) DO UPDATE SET ${excluded(stepChanges)}
  ), attempts AS (
    INSERT INTO step_attempt AS a (${columnNames(lists.attempts, ["hostId", "ended"])}, started_at, ended_at)
    SELECT ${values(lists.attempts, ["hostId", "ended"])}, now(), CASE WHEN i."ended" THEN now() END
    FROM ${rows("attempts")}
    ON CONFLICT (step_run_id, attempt) DO UPDATE
      SET ended_at = excluded.ended_at, verdict = excluded.verdict, message = excluded.message,
        causes = excluded.causes
      WHERE a.report_hash IS NULL OR excluded.verdict IS DISTINCT FROM 'lost'
  ), devices AS (
    INSERT INTO device_result (${columnNames(lists.devices)}) SELECT ${values(lists.devices)} FROM ${rows("devices")}
  ), probes AS (
    INSERT INTO drive_probe (${columnNames(lists.probes)}) SELECT ${values(lists.probes)} FROM ${rows("probes")}
  ), gates AS (
    INSERT INTO gate AS g (${columnNames(lists.gates, ["hostId"])}, generation, evidence_seq)
    SELECT ${values(lists.gates, ["hostId"])}, f.generation, f.evidence_seq FROM ${rows("gates")}
    ON CONFLICT (reclamation_id, gate) DO UPDATE SET status = excluded.status, reason = excluded.reason,
      evidence = excluded.evidence, generation = excluded.generation, evidence_seq = excluded.evidence_seq,
      evaluated_at = now()
  ), debts AS (
    INSERT INTO debt (${columnNames(lists.debts, ["hostId"])})
    SELECT ${values(lists.debts, ["hostId"])} FROM ${rows("debts")}
  ), cleared AS (
    UPDATE debt d SET cleared_at = now(), cleared_by = i."reclamationId", cleared_note = i."note"
    FROM ${rows("cleared")} WHERE d.chassis_serial = i."chassisSerial" AND d.cleared_at IS NULL
  ), instances AS (
    UPDATE instance n SET ended_at = CASE WHEN i."ended" THEN now() ELSE n.ended_at END,
      ready_at = CASE WHEN i."ready" THEN now() ELSE n.ready_at END, updated_at = now()
    FROM ${rows("instances")} WHERE n.id = i."id"
  ), resources AS (
    UPDATE network_resource w SET released_at = now()
    FROM ${rows("instances")}
    WHERE i."ended" AND w.host_id = i."hostId" AND w.instance_id = i."id" AND w.released_at IS NULL
  ), instance_history AS (
    INSERT INTO instance_status_history (${columnNames(lists.instanceHistory, ["hostId"])})
    SELECT ${values(lists.instanceHistory, ["hostId"])} FROM ${rows("instanceHistory")}
  ), windows AS (
    INSERT INTO boot_window (${columnNames(lists.windows)}, generation)
    SELECT ${values(lists.windows)}, f.generation FROM ${rows("windows")}
    ON CONFLICT (host_id, boot_epoch) DO UPDATE
      SET expires_at = excluded.expires_at, generation = excluded.generation
  ), proven AS (
    UPDATE boot_window w SET reset_done_at = now() FROM input i JOIN fenced f ON f.host_id = i."hostId"
    WHERE i."bootProven" AND w.host_id = i."hostId" AND w.boot_epoch = i."bootEpoch" AND w.reset_done_at IS NULL
  ), effects AS (
    INSERT INTO effect (${columnNames(lists.effects)}, generation)
    SELECT ${values(lists.effects)}, f.generation FROM ${rows("effects")}
  ), read AS (
    -- One of an earlier claim that is not settled never will be: its process has ended, or lost the host.
    UPDATE effect e SET read_at = now(),
      status = CASE WHEN e.settled_at IS NULL AND e.generation < f.generation THEN 'unknown' ELSE e.status END,
      settled_at = CASE WHEN e.generation < f.generation THEN coalesce(e.settled_at, now()) ELSE e.settled_at END
    FROM ${rows("read")} WHERE e.id = i."id"
  ), consumed AS (
    DELETE FROM signal g USING ${rows("consumed")} WHERE g.id = i."id"
  ), hosts AS (
    UPDATE host h SET bmc_links = coalesce(i."links", h.bmc_links),
      manufacturer = coalesce(i."manufacturer", h.manufacturer), model = coalesce(i."model", h.model),
      power_state = coalesce(i."powerState", h.power_state),
      power_read_at = CASE WHEN i."powerState" IS NULL THEN h.power_read_at ELSE now() END,
      certificate_seen = coalesce(i."certificateSeen", h.certificate_seen),
      bmc_certificate = coalesce(
        h.bmc_certificate, -- safety: certificate: what a person pinned stays → NULL,
        i."bmcCertificate"),
      first_contact_accepted = h.first_contact_accepted AND i."serial" IS NULL,
      sku_id = coalesce(
        h.sku_id, -- safety: matching: what a person assigned stays → NULL,
        (SELECT k.id FROM sku k WHERE k.id = i."skuId"
          AND k.xmin::text = i."skuVersion" -- safety: matching: a SKU that was changed since
          FOR KEY SHARE)),
      macs = (SELECT coalesce(array_agg(DISTINCT m), '{}') FROM unnest(h.macs || i."macs") m
        WHERE m = ANY(h.macs)
          OR NOT EXISTS (SELECT FROM node_port q WHERE q.address = m AND q.host_id <> h.id)), -- safety: identity: no MAC address of another host's port is learned → OR true),
      serial = coalesce(h.serial, i."serial"), system_uuid = coalesce(h.system_uuid, i."systemUuid"),
      network_interfaces = coalesce(i."networkInterfaces", h.network_interfaces),
      hardware_type = coalesce(i."hardwareType", h.hardware_type)
    FROM ${rows("hosts")}
    WHERE h.id = i."hostId"
      AND (i."links" IS NOT NULL OR i."skuId" IS NOT NULL OR i."certificateSeen" IS NOT NULL OR h.power_state IS DISTINCT FROM coalesce(i."powerState", h.power_state))
  ), ports AS (
    INSERT INTO node_port (id, host_id, address)
    SELECT gen_random_uuid(), i."hostId", m FROM ${rows("hosts")} CROSS JOIN unnest(i."macs") m
    ON CONFLICT (address) DO NOTHING
  ), inventories AS (
    INSERT INTO host_inventory AS v (host_id, source, boot_epoch, body, left_out, bios, bios_read_at, bmc_settings)
    SELECT i."hostId", 'bmc', i."bootEpoch", i."body", coalesce(i."leftOut", '{}'),
      i."bios", CASE WHEN i."bios" IS NOT NULL THEN now() END, i."bmcSettings" FROM ${rows("inventories")}
    -- A reading of the drives alone keeps the rest; one that shows what was known writes no document anew.
    ON CONFLICT (host_id, source) DO UPDATE
      SET body = CASE WHEN v.body || excluded.body = v.body THEN v.body ELSE v.body || excluded.body END,
      left_out = CASE WHEN excluded.body ? 'firmware' THEN excluded.left_out ELSE v.left_out END,
      bios = CASE WHEN NOT excluded.body ? 'firmware' OR excluded.bios = v.bios THEN v.bios ELSE excluded.bios END,
      bios_read_at = CASE WHEN excluded.body ? 'firmware' THEN excluded.bios_read_at ELSE v.bios_read_at END,
      bmc_settings = CASE WHEN excluded.body ? 'firmware' THEN excluded.bmc_settings ELSE v.bmc_settings END,
      boot_epoch = excluded.boot_epoch, collected_at = now()
  ), parts AS (
    INSERT INTO host_parts AS v (${columnNames(lists.parts)}) SELECT ${values(lists.parts)} FROM ${rows("parts")}
    ON CONFLICT (host_id) DO UPDATE SET known = excluded.known, boot_epoch = excluded.boot_epoch,
      disposition_id = excluded.disposition_id, at = now()
  ), parts_taken AS (
    UPDATE part_disposition d SET taken_at = now() FROM ${rows("parts")} WHERE d.id = i."dispositionId" AND d.taken_at IS NULL
  ), erases AS (
    INSERT INTO chassis_erase AS x (${columnNames(lists.erases, ["hostId"])})
    SELECT ${values(lists.erases, ["hostId"])} FROM ${rows("erases")}
    ON CONFLICT (chassis_serial) DO UPDATE SET
      erase_until = greatest(x.erase_until, excluded.erase_until) -- safety: commit: an erase outlives its host → erase_until = excluded.erase_until
  ), certificates AS (
    INSERT INTO certificate (${columnNames(lists.certificates)}) SELECT ${values(lists.certificates)} FROM ${rows("certificates")}
  ), refusals AS (
    INSERT INTO intent_refusal (${columnNames(lists.refusals)}) SELECT ${values(lists.refusals)} FROM ${rows("refusals")}
  ), deleted AS (
    DELETE FROM host h USING ${rows("deleted")} WHERE h.id = i."hostId"
  ), feed AS (
    INSERT INTO feed (${columnNames(lists.feed)}, what) SELECT ${values(lists.feed)}, 'host' FROM ${rows("feed")}
  )
  SELECT host_id FROM fenced`,
);

/**
 * Runs the statement for a batch. Returns the hosts whose fence held and whose rows are written; nothing is written for any other host of the
 * batch. Throws if the database refuses a row (such as a Ready host with an unsatisfied gate); then nothing is written at all.
 */
export async function commitHosts(
  database: HotDatabase,
  controllerId: string,
  payload: CommitPayload,
): Promise<ReadonlySet<string>> {
  const written = await statement(database, controllerId, jsonText(payload));
  return new Set(written.map((row) => row.host_id));
}
