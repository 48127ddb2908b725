-- Which row of site_policy, in which of its versions, a reclamation's copy was made from: a controller that knows it need not be told the text again.
ALTER TABLE "reclamation" ADD COLUMN "policy_key" TEXT;
