CREATE INDEX "requests_words_idx" ON "requests" USING gin (to_tsvector('simple', ("title" || ' ' || "text")));--> statement-breakpoint
CREATE INDEX "requests_letters_idx" ON "requests" USING gin (("title" || ' ' || "text") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "requests_created_idx" ON "requests" USING btree ("created_at","id");