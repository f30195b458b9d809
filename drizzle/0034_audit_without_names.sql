-- The audit holds ids alone: whoever received work is named when it is read, and no longer once they are erased.
UPDATE "audit_events" SET "details" = "details" - 'to' WHERE "kind" = 'work.handed-over';
