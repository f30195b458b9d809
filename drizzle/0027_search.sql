CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE INDEX "messages_words_idx" ON "messages" USING gin (to_tsvector('simple', "text"));--> statement-breakpoint
CREATE INDEX "messages_letters_idx" ON "messages" USING gin ("text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "messages_created_idx" ON "messages" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "comments_words_idx" ON "comments" USING gin (to_tsvector('simple', regexp_replace("text", '@\[\]\(person:[0-9a-f-]{36}\)', '', 'g')));--> statement-breakpoint
CREATE INDEX "comments_letters_idx" ON "comments" USING gin (regexp_replace("text", '@\[\]\(person:[0-9a-f-]{36}\)', '', 'g') gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "comments_created_idx" ON "comments" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "files_name_letters_idx" ON "files" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "project_events_task_idx" ON "project_events" USING btree ("project_id","task_id","id");