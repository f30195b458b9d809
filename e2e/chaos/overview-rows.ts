import type { Sql } from "../../db/client";
import { NO_OVERVIEW_ROWS, type OverviewRows } from "./overview-history";

/** One statement sees one state of the database. Moments in microseconds. */
export async function readOverviewRows(sql: Sql, personIds: readonly string[]): Promise<OverviewRows> {
  const ids = sql([...personIds]);
  const [read] = await sql<{ rows: OverviewRows }[]>`
    with own as (
      select * from conversations where lower_user_id in ${ids}
    ), done as (
      select t.* from tasks t join projects p on p.id = t.project_id where p.client_id in ${ids}
    )
    select json_build_object(
      'visits', (
        select coalesce(json_agg(json_build_object(
          'personId', user_id, 'seenUpTo', floor(extract(epoch from seen_up_to) * 1000000)
        )), '[]') from last_visits where user_id in ${ids}
      ),
      'conversations', (
        select coalesce(json_agg(json_build_object(
          'id', id, 'personIds', json_build_array(lower_user_id, higher_user_id)
        )), '[]') from own
      ),
      'messages', (
        select coalesce(json_agg(json_build_object(
          'id', id, 'conversationId', conversation_id, 'seq', seq, 'senderId', sender_id, 'kind', kind,
          'at', floor(extract(epoch from created_at) * 1000000)
        )), '[]') from messages where conversation_id in (select id from own)
      ),
      'settlements', (
        select coalesce(json_agg(json_build_object('conversationId', conversation_id, 'upToSeq', up_to_seq)), '[]')
        from conversation_settlements where conversation_id in (select id from own)
      ),
      'tasks', (
        select coalesce(json_agg(json_build_object(
          'id', id, 'status', status, 'dueDate', due_date, 'doneAt', floor(extract(epoch from completed_at) * 1000000)
        )), '[]') from done
      ),
      'projects', (
        select coalesce(json_agg(json_build_object('id', id, 'dueDate', due_date)), '[]') from projects where client_id in ${ids}
      ),
      'commits', (
        select coalesce(json_agg(json_build_object(
          'id', c.sha, 'at', floor(extract(epoch from c.arrived_at) * 1000000)
        )), '[]') from commits c join projects p on p.repository_id = c.repository_id where p.client_id in ${ids}
      ),
      'requests', (
        select coalesce(json_agg(json_build_object(
          'id', r.id, 'status', r.status, 'createdAt', floor(extract(epoch from r.created_at) * 1000000),
          'replies', (
            select coalesce(json_agg(json_build_object(
              'authorId', author_id, 'at', floor(extract(epoch from created_at) * 1000000)
            ) order by created_at, id), '[]') from request_replies where request_id = r.id
          ),
          'project', json_build_object('isOpen', p.client_collaboration, 'managerIds', (
            select coalesce(json_agg(user_id), '[]') from project_members where project_id = p.id and role = 'manager'
          ))
        )), '[]') from requests r join projects p on p.id = r.project_id where p.client_id in ${ids}
      ),
      'signOffs', (
        select coalesce(json_agg(json_build_object(
          'id', s.id, 'signerId', s.signer_id, 'status', s.status,
          'askedAt', floor(extract(epoch from s.asked_at) * 1000000),
          'decidedAt', floor(extract(epoch from s.decided_at) * 1000000),
          'project', json_build_object(
            'isOpen', p.client_collaboration, 'isCompleted', p.status = 'completed', 'managerIds', (
              select coalesce(json_agg(user_id), '[]') from project_members where project_id = p.id and role = 'manager'
            )
          )
        )), '[]') from sign_offs s join projects p on p.id = s.project_id where p.client_id in ${ids}
      ),
      'events', (
        select coalesce(json_agg(json_build_object(
          'subjectId', coalesce(task_id, project_id), 'actorId', actor_id, 'kind', kind, 'at', floor(extract(epoch from at) * 1000000), 'changes', changes
        ) order by id), '[]') from project_events
        where task_id in (select id from done) or task_id is null and project_id in (select id from projects where client_id in ${ids})
      )
    ) as rows`;
  return read?.rows ?? NO_OVERVIEW_ROWS;
}
