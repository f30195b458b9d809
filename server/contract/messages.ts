import { ACCEPTANCE_MESSAGES } from "./messages/acceptance";
import { API_KEY_MESSAGES } from "./messages/api-keys";
import { AUTH_MESSAGES } from "./messages/auth";
import { CHAT_MESSAGES } from "./messages/chat";
import { COMMENT_MESSAGES } from "./messages/comments";
import { CREDENTIAL_MESSAGES } from "./messages/credentials";
import { EMAIL_CONFIRMATION_MESSAGES } from "./messages/email-confirmation";
import { FILE_MESSAGES } from "./messages/files";
import { GENERAL_MESSAGES } from "./messages/general";
import { GITHUB_MESSAGES } from "./messages/github";
import { HTTP_MESSAGES } from "./messages/http";
import { INQUIRY_MESSAGES } from "./messages/inquiries";
import { INVITATION_MESSAGES } from "./messages/invitations";
import { LABEL_MESSAGES } from "./messages/labels";
import { LIMIT_MESSAGES } from "./messages/limits";
import { NOTIFICATION_MESSAGES } from "./messages/notifications";
import { ORGANISATION_MESSAGES } from "./messages/organisation";
import { PASSWORD_MESSAGES } from "./messages/passwords";
import { PROJECT_MESSAGES } from "./messages/projects";
import { REQUEST_MESSAGES } from "./messages/requests";
import { SEARCH_MESSAGES } from "./messages/search";
import { SIGN_OFF_MESSAGES } from "./messages/sign-offs";
import { STATUS_UPDATE_MESSAGES } from "./messages/status-updates";
import { SYSTEM_MESSAGES } from "./messages/system";
import { TASK_MESSAGES } from "./messages/tasks";
import { TEMPLATE_MESSAGES } from "./messages/templates";
import { TWO_FACTOR_MESSAGES } from "./messages/two-factor";
import { USER_MESSAGES } from "./messages/users";
import { VALIDATION_MESSAGES } from "./messages/validation";
import { WEBHOOK_MESSAGES } from "./messages/webhooks";

/**
 * Every sentence the product says about success, failure and emptiness, in one place: the server throws them, the screens
 * show them, the tests expect them. Sentences of the specification (parts 2, 4, 5, 8) are literal. What the browser runs
 * takes the file of its own subject: a page that has no chat carries no sentence about it.
 */
export const MESSAGES = {
  auth: { ...AUTH_MESSAGES, ...PASSWORD_MESSAGES, ...CREDENTIAL_MESSAGES },
  apiKeys: API_KEY_MESSAGES,
  twoFactor: TWO_FACTOR_MESSAGES,
  limits: LIMIT_MESSAGES,
  emailConfirmation: EMAIL_CONFIRMATION_MESSAGES,
  organisation: ORGANISATION_MESSAGES,
  projects: PROJECT_MESSAGES,
  tasks: TASK_MESSAGES,
  labels: LABEL_MESSAGES,
  users: USER_MESSAGES,
  invitations: { ...INVITATION_MESSAGES, ...ACCEPTANCE_MESSAGES },
  search: SEARCH_MESSAGES,
  statusUpdates: STATUS_UPDATE_MESSAGES,
  system: SYSTEM_MESSAGES,
  templates: TEMPLATE_MESSAGES,
  chat: CHAT_MESSAGES,
  comments: COMMENT_MESSAGES,
  signOffs: SIGN_OFF_MESSAGES,
  files: FILE_MESSAGES,
  github: GITHUB_MESSAGES,
  inquiries: INQUIRY_MESSAGES,
  validation: VALIDATION_MESSAGES,
  webhooks: WEBHOOK_MESSAGES,
  notifications: NOTIFICATION_MESSAGES,
  requests: REQUEST_MESSAGES,
  general: { ...GENERAL_MESSAGES, ...HTTP_MESSAGES },
} as const;
