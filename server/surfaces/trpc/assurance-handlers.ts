// The handlers of approvals, exceptions, certificates, evidence files and the audit log (docs/assurance/certificates.md).
import { decideApprovals } from "@/server/usecases/assurance/approvals/decide-approvals";
import { listApprovals } from "@/server/usecases/assurance/approvals/list-approvals";
import { listEnding } from "@/server/usecases/assurance/approvals/list-ending";
import { acknowledgeFaults } from "@/server/usecases/audit-log/acknowledge-faults";
import { followAudit } from "@/server/usecases/audit-log/follow-audit";
import { listAuditKeys, rotateAuditKey } from "@/server/usecases/audit-log/keys";
import { listAudit } from "@/server/usecases/audit-log/list-audit";
import { proveEvent } from "@/server/usecases/audit-log/log-file";
import { readAuditState } from "@/server/usecases/audit-log/log-state";
import { askSelfAudit, listSelfAudits, readSelfAudit } from "@/server/usecases/audit-log/self-audits";
import { getCertificate, listCertificates } from "@/server/usecases/assurance/certificates/certificates";
import { endEvidenceHold, holdEvidence } from "@/server/usecases/assurance/evidence/hold-evidence";
import { listEvidence } from "@/server/usecases/assurance/evidence/read-evidence";
import { askableExceptions } from "@/server/usecases/assurance/exceptions/askable";
import { askException, withdrawException } from "@/server/usecases/assurance/exceptions/exception-acts";
import { listExceptions } from "@/server/usecases/assurance/exceptions/list-exceptions";
import { getPolicyChange, listPolicyChanges } from "@/server/usecases/assurance/policy-changes/list-changes";
import { withdrawPolicyChange } from "@/server/usecases/assurance/policy-changes/withdraw-change";
import { acknowledgeSecurityEvents } from "@/server/usecases/access/security-events/acknowledge";
import {
  countOpenSecurityEvents,
  getSecurityEvent,
  listSecurityEvents,
} from "@/server/usecases/access/security-events/read-events";
import { getReturn } from "@/server/usecases/assurance/proof/get-return";
import { countFiles, searchReturns } from "@/server/usecases/assurance/proof/search-returns";
import { readTimeline } from "@/server/usecases/assurance/proof/timeline";

export const assuranceHandlers = {
  approvals: { list: listApprovals, ending: listEnding, decide: decideApprovals },
  policyChanges: { list: listPolicyChanges, get: getPolicyChange, withdraw: withdrawPolicyChange },
  exceptions: {
    list: listExceptions,
    askable: askableExceptions,
    ask: askException,
    withdraw: withdrawException,
  },
  certificates: { list: listCertificates, get: getCertificate },
  proof: { search: searchReturns, files: countFiles, get: getReturn, timeline: readTimeline },
  evidence: { list: listEvidence, hold: holdEvidence, endHold: endEvidenceHold },
  security: {
    list: listSecurityEvents,
    get: getSecurityEvent,
    open: countOpenSecurityEvents,
    acknowledge: acknowledgeSecurityEvents,
  },
  audit: {
    list: listAudit,
    follow: followAudit,
    keys: listAuditKeys,
    state: readAuditState,
    proof: proveEvent,
    selfAudit: readSelfAudit,
    checks: listSelfAudits,
    selfCheck: askSelfAudit,
    acknowledge: acknowledgeFaults,
    rotateKey: rotateAuditKey,
  },
};
