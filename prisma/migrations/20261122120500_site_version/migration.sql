-- Versions of a site's document (docs/adr/0048-site-document.md).

-- CreateTable
CREATE TABLE "site_version" (
    "site_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "document" JSONB NOT NULL,
    "changes" JSONB NOT NULL,
    "reason" TEXT NOT NULL,
    "by_id" UUID,
    "by_name" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "site_version_pkey" PRIMARY KEY ("site_id","version")
);

-- AddForeignKey
ALTER TABLE "site_version" ADD CONSTRAINT "site_version_site_id_fkey" FOREIGN KEY ("site_id") REFERENCES "site"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was in force stays readable: a later version corrects it.
CREATE FUNCTION "site_version_stands"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a site is never changed or deleted' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER "site_version_stands" BEFORE UPDATE OR DELETE ON "site_version" FOR EACH ROW EXECUTE FUNCTION "site_version_stands"();
