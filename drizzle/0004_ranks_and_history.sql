CREATE TYPE "public"."project_event_kind" AS ENUM('project.created', 'project.updated', 'task.created', 'task.updated', 'task.completed', 'task.reopened', 'task.deleted');--> statement-breakpoint
CREATE TABLE "project_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid NOT NULL,
	"kind" "project_event_kind" NOT NULL,
	"task_id" uuid,
	"task_number" integer,
	"task_title" text,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
DROP INDEX "task_assignees_user_idx";--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "rank" text collate "C";--> statement-breakpoint
-- What is there keeps its order: each task takes the rank of its number (db/ranks.ts).
UPDATE "tasks" SET "rank" = 'd' || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', ("number" / 238328) % 62 + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', ("number" / 3844) % 62 + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', ("number" / 62) % 62 + 1, 1) || substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', ("number" / 1) % 62 + 1, 1);--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "rank" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "project_events" ADD CONSTRAINT "project_events_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_events" ADD CONSTRAINT "project_events_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "project_events_project_idx" ON "project_events" USING btree ("project_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "projects_due_idx" ON "projects" USING btree ("due_date") WHERE "projects"."due_date" is not null;--> statement-breakpoint
CREATE INDEX "tasks_due_idx" ON "tasks" USING btree ("due_date") WHERE "tasks"."due_date" is not null;--> statement-breakpoint
CREATE INDEX "task_assignees_user_idx" ON "task_assignees" USING btree ("user_id","task_id");--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_rank_unique" UNIQUE("project_id","rank");--> statement-breakpoint
-- A history begins with what is known of the time before it was kept.
INSERT INTO "project_events" ("project_id", "at", "actor_id", "kind", "task_id", "task_number", "task_title")
SELECT * FROM (
	SELECT "id", "created_at", "created_by", 'project.created'::"project_event_kind", NULL::uuid, NULL::integer, NULL::text FROM "projects"
	UNION ALL
	SELECT "project_id", "created_at", "created_by", 'task.created', "id", "number", "title" FROM "tasks"
) AS past ("project_id", "at", "actor_id", "kind", "task_id", "task_number", "task_title")
ORDER BY "at";
