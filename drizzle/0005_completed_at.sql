ALTER TABLE "tasks" ADD COLUMN "completed_at" timestamp with time zone;--> statement-breakpoint
-- The nearest to the truth that is known.
UPDATE "tasks" SET "completed_at" = "updated_at" WHERE "status" = 'completed';--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_completed_at" CHECK (("tasks"."status" = 'completed') = ("tasks"."completed_at" is not null));