CREATE INDEX "files_name_start_idx" ON "files" USING spgist (lower("name"));--> statement-breakpoint
CREATE INDEX "files_created_idx" ON "files" USING btree ("created_at","id");