// Test files that the mutation run uses besides the unit tests in the folders of marked files.
/** Unit tests that cover checks of another folder. */
export const elsewhere = [
  "agent/steps/erase-nvme/media-verification.test.ts",
  "server/simulator/reclamation.test.ts",
  "server/simulator/agent.test.ts",
  "server/simulator/nvme.test.ts",
  "server/simulator/disks.test.ts",
  "server/simulator/content.test.ts",
  "server/simulator/by-hand.test.ts",
  "server/simulator/bmc/steps.test.ts",
  "server/simulator/bmc/baseline-steps.test.ts",
  "server/simulator/bmc/boot-order.test.ts",
  "server/simulator/bmc/dell-steps.test.ts",
  "server/simulator/bmc/reset-to-defaults.test.ts",
  "server/hardware/redfish/inventory/platform-reading.test.ts",
  "server/simulator/bmc/raid-steps.test.ts",
  "server/simulator/bmc/service/several-systems.test.ts",
  "server/simulator/host/ipxe.test.ts",
  "server/hardware/redfish/management.test.ts",
  "server/controller/handlers/assurance/awaiting.test.ts",
  "server/controller/handlers/return-to-allocation.test.ts",
];

/**
 * Integration tests, each with the files of other names whose checks it covers; `x.itest.ts` covers those of `x.ts` unlisted. They are
 * listed because nearly all of them reach the statements of the data path, and each costs seconds.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const integration = {
  "server/usecases/assurance/assurance.itest.ts": [
    "server/usecases/assurance/host-assurance.ts",
    "server/usecases/assurance/record-procedure.ts",
  ],
  "server/usecases/hosts/skus/skus.itest.ts": ["server/usecases/hosts/skus/capture.ts"],
  "server/jobs/admission.itest.ts": ["server/usecases/cleaning/queue/narrow-brake.ts"],
  "server/usecases/audit-log/self-audits.itest.ts": ["server/usecases/audit-log/acknowledge-faults.ts"],
  "server/usecases/assurance/proof/proof.itest.ts": [
    "server/usecases/assurance/proof/match-text.ts",
    "server/usecases/assurance/proof/return-exceptions.ts",
    "server/usecases/assurance/proof/returns-sql.ts",
    "server/usecases/assurance/proof/timeline.ts",
  ],
  "server/usecases/assurance/proof/pack/pack.itest.ts": [
    "server/domain/assurance/proof/pack/tar.ts",
    "server/domain/assurance/proof/pack/verify-pack.ts",
  ],
  "server/usecases/assurance/exceptions/exceptions.itest.ts": [
    "server/usecases/assurance/exceptions/exception-acts.ts",
    "server/usecases/instances/free-hosts.ts",
  ],
  "server/usecases/hosts/rollouts/rollouts.itest.ts": [
    "server/db/firmware-in-force.ts",
    "server/usecases/hosts/rollouts/finish-rollout.ts",
    "server/usecases/hosts/rollouts/start-rollout.ts",
  ],
  "server/db/hot/host/claim-debts.itest.ts": ["server/db/hot/host/view-query.ts"],
  "server/usecases/assurance/approvals/approvals.itest.ts": [
    "server/usecases/assurance/approvals/decide-approvals.ts",
    "server/usecases/assurance/approvals/fresh-sign-in.ts",
  ],
  "server/usecases/assurance/policy-changes/policy-changes.itest.ts": [
    "server/usecases/assurance/policy-changes/apply-change.ts",
    "server/usecases/assurance/policy-changes/asking-transaction.ts",
  ],
  "server/usecases/assurance/policy-changes/two-people.itest.ts": [
    "server/usecases/hosts/nodes/refused-fields.ts",
    "server/usecases/assurance/policy-changes/apply-change.ts",
    "server/usecases/assurance/policy-changes/asking-transaction.ts",
  ],
  "server/usecases/access/passkeys/passkeys.itest.ts": [
    "server/usecases/access/passkeys/begin-passkey.ts",
    "server/usecases/access/passkeys/passkey-acts.ts",
    "server/usecases/access/passkeys/use-passkey.ts",
    "server/usecases/access/people/reset-passkeys.ts",
  ],
  "server/usecases/break-fix/capacity.itest.ts": ["server/usecases/break-fix/watch-capacity.ts"],
  "server/usecases/break-fix/tickets.itest.ts": [
    "server/usecases/break-fix/read-tickets.ts",
    "server/usecases/break-fix/ticket-hooks.ts",
  ],
  "server/surfaces/machine/nico/tenants/tenants.itest.ts": ["server/usecases/repair/release-with-reports.ts"],
  "prisma/seed/begin.itest.ts": ["prisma/seed/people.ts", "server/db/database-state.ts"],
  "server/controller/system/faults/fence.itest.ts": [
    "server/db/hot/host/claim.ts",
    "server/db/hot/host/commit.ts",
    "server/db/hot/hardware/effects.ts",
  ],
  "server/controller/system/faults/matching.itest.ts": ["server/db/hot/host/commit.ts"],
  "server/controller/system/journeys/identity.itest.ts": [
    "server/db/hot/host/confirmed-names.ts",
    "server/controller/loop/commit-rows.ts",
    "server/db/hot/host/commit.ts",
  ],
  "server/db/hot/host/claim-race.itest.ts": [
    "server/db/hot/host/claim.ts",
    "server/db/hot/host/view-query.ts",
  ],
  "server/db/hot/host/deadlock.itest.ts": ["server/db/hot/pool.ts"],
  "server/db/hot/fleet/ready-watch.itest.ts": [
    "server/db/hot/fleet/aged-proof.ts",
    "server/db/hot/host/drives-elsewhere.ts",
  ],
  "server/surfaces/web/flood.itest.ts": [
    "server/surfaces/machine/http/token-first.ts",
    "server/surfaces/machine/machine-app.ts",
    "server/surfaces/trpc/router.ts",
  ],
  "server/usecases/access/security-events/security-events.itest.ts": [
    "server/usecases/break-fix/webhooks.ts",
  ],
  "server/db/hot/fleet/listening.itest.ts": ["server/db/hot/host/claim.ts"],
  "server/db/audit-log/sequencer.itest.ts": ["server/db/audit-log/sign.ts"],
  "cli/commands/audit-log/tampering.itest.ts": [
    "server/db/audit-log/keys.ts",
    "server/usecases/audit-log/log-file.ts",
  ],
  "cli/commands/audit-log/witness.itest.ts": ["server/jobs/audit-log/witnesses.ts"],
  "server/jobs/high-water.itest.ts": [
    "server/db/hot/host/claim.ts",
    "server/usecases/database/after-restore.ts",
    "server/usecases/database/database-is-current.ts",
    "server/usecases/instances/claim-host.ts",
    "server/usecases/instances/free-hosts.ts",
  ],
  "server/surfaces/machine/agent/agent.itest.ts": [
    "server/agents/progress-writer.ts",
    "server/db/hot/agent/register.ts",
    "server/db/hot/agent/session.ts",
  ],
  "server/surfaces/machine/agent/attestation.itest.ts": ["server/db/hot/agent/attestation.ts"],
  "server/surfaces/machine/agent/measured-boot.itest.ts": [
    "server/db/hot/agent/measurement.ts",
    "server/db/measurement-judged.ts",
    "server/agents/attestation-server.ts",
  ],
  "server/usecases/hosts/attestation/bundles.itest.ts": [
    "server/usecases/hosts/attestation/judge-again.ts",
    "server/usecases/hosts/attestation/promote-report.ts",
  ],
  "server/usecases/hosts/names/names.itest.ts": [
    "server/usecases/hosts/names/confirm-names.ts",
    "server/usecases/hosts/names/read-names.ts",
  ],
  "server/usecases/hosts/attestation/attestation.itest.ts": [
    "server/usecases/hosts/attestation/accept-key.ts",
  ],
  "server/surfaces/machine/agent/gathered.itest.ts": ["server/db/hot/agent/report.ts"],
  "server/surfaces/machine/agent/reports.itest.ts": [
    "server/db/hot/agent/answer.ts",
    "server/db/hot/agent/report.ts",
  ],
  "server/surfaces/machine/boot/boot.itest.ts": [
    "server/agents/boot/boot-server.ts",
    "server/db/hot/agent/boot.ts",
  ],
  "server/surfaces/machine/leases/leases.itest.ts": [
    "server/usecases/repair/leases/host-leases.ts",
    "server/usecases/repair/leases/lock-lease.ts",
    "server/usecases/repair/leases/write-lease.ts",
    "server/usecases/hosts/labels/who-labels.ts",
  ],
  "server/surfaces/machine/ironic/agent/agent.itest.ts": [
    "server/agents/boot/boot-server.ts",
    "server/agents/guest/guest-server.ts",
    "server/db/hot/agent/guest.ts",
  ],
  "server/surfaces/machine/ironic/nodes/records.itest.ts": ["server/usecases/hosts/nodes/update-refusals.ts"],
  "server/surfaces/machine/network/network.itest.ts": ["server/db/hot/hardware/network-acknowledgement.ts"],
  "server/surfaces/web/bearer.itest.ts": ["server/surfaces/web/asker.ts"],
  "server/surfaces/web/demo-desk.itest.ts": ["server/usecases/access/demo-desk.ts"],
  "server/surfaces/web/http.itest.ts": [
    "server/surfaces/web/auth-options.ts",
    "server/surfaces/web/session.ts",
  ],
  "server/surfaces/web/sign-in-http.itest.ts": ["server/surfaces/web/auth-options.ts"],
  "server/usecases/access/access.itest.ts": ["server/usecases/access/sign-in.ts"],
  "server/usecases/access/people/people.itest.ts": [
    "server/usecases/access/change-password.ts",
    "server/usecases/access/create-token.ts",
    "server/usecases/access/read-actor.ts",
    "server/usecases/define-act.ts",
  ],
  "server/usecases/hosts/bulk/bulk.itest.ts": [
    "server/usecases/hosts/bulk/ask-portion.ts",
    "server/usecases/define-act.ts",
  ],
  "server/usecases/cleaning/acts.itest.ts": [
    "server/usecases/cleaning/overrides/save-override.ts",
    "server/usecases/cleaning/start-cleaning.ts",
  ],
  "server/usecases/hosts/enrolment/enrolment.itest.ts": [
    "server/usecases/hosts/enrolment/again.ts",
    "server/usecases/hosts/enrolment/confirm-certificate.ts",
    "server/usecases/hosts/enrolment/set-bmc.ts",
  ],
  "server/usecases/hosts/acts/dispose-drive.itest.ts": ["server/usecases/hosts/maintenance/maintenance.ts"],
  "server/usecases/repair/health/health.itest.ts": [
    "server/db/hot/host/release.ts",
    "server/usecases/repair/health/silent-sources.ts",
    "server/usecases/repair/health/sources.ts",
    "server/usecases/repair/health/stored-reports.ts",
    "server/usecases/repair/health/write-reports.ts",
  ],
  "server/surfaces/machine/health/health.itest.ts": ["server/surfaces/machine/health/routes.ts"],
  "server/usecases/hosts/fake-hosts.itest.ts": ["server/usecases/hosts/acts/enroll-hosts.ts"],
  "server/usecases/hosts/hosts.itest.ts": [
    "server/usecases/hosts/add-hosts.ts",
    "server/usecases/hosts/maintenance/confirm-untouched.ts",
    "server/usecases/hosts/maintenance/maintenance.ts",
  ],
  "server/usecases/instances/instances.itest.ts": [
    "server/db/hot/host/release.ts",
    "server/usecases/define-act.ts",
    "server/usecases/instances/claim-host.ts",
    "server/usecases/instances/free-hosts.ts",
    "server/usecases/instances/release-instance.ts",
  ],
  "server/usecases/repair/repair.itest.ts": [
    "server/usecases/repair/known-hosts.ts",
    "server/usecases/repair/last-reclamation.ts",
  ],
  "server/usecases/sites/authorities.itest.ts": ["server/usecases/hosts/enrolment/confirm-certificate.ts"],
  "server/usecases/sites/sites.itest.ts": [
    "server/usecases/sites/apply-site.ts",
    "server/usecases/sites/priorities.ts",
  ],
};

/** Unit tests that run for minutes and judge no single check. */
export const leftOut = [
  "server/controller/testing/exploration.test.ts",
  "server/controller/testing/seeded-bugs.test.ts",
];
