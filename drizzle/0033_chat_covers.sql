ALTER TABLE "conversation_covers" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "conversation_covers" CASCADE;--> statement-breakpoint
ALTER TABLE "message_tasks" DROP CONSTRAINT "message_tasks_task_id_tasks_id_fk";
--> statement-breakpoint
ALTER TABLE "message_tasks" ALTER COLUMN "task_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "cover_user_id" uuid;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "cover_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "covered_user_id" uuid;--> statement-breakpoint
ALTER TABLE "message_tasks" ADD COLUMN "conversation_id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_cover_user_id_users_id_fk" FOREIGN KEY ("cover_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_covered_user_id_users_id_fk" FOREIGN KEY ("covered_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_tasks" ADD CONSTRAINT "message_tasks_conversation_id_conversations_id_fk" FOREIGN KEY ("conversation_id") REFERENCES "public"."conversations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_tasks" ADD CONSTRAINT "message_tasks_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "conversations_cover_idx" ON "conversations" USING btree ("cover_user_id") WHERE "conversations"."cover_user_id" is not null;--> statement-breakpoint
CREATE INDEX "conversations_cover_until_idx" ON "conversations" USING btree ("cover_until") WHERE "conversations"."cover_until" is not null;--> statement-breakpoint
CREATE INDEX "message_tasks_change_idx" ON "message_tasks" USING btree ("conversation_id","last_change");--> statement-breakpoint
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_cover" CHECK ("conversations"."cover_user_id" is null and "conversations"."cover_until" is null
        or "conversations"."covered_user_id" in ("conversations"."lower_user_id", "conversations"."higher_user_id") and "conversations"."cover_user_id" not in ("conversations"."lower_user_id", "conversations"."higher_user_id"));