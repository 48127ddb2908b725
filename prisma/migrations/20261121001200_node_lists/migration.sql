-- Lists of nodes are in the order of enrolment, and leave out nodes that belong to another node.
CREATE INDEX "host_created_at_id_idx" ON "host"("created_at", "id");
CREATE INDEX "node_record_children" ON "node_record" ("parent_node", "host_id") WHERE "parent_node" IS NOT NULL;
