import { FILES_PATH, MAX_FILE_BYTES } from "../../server/contract/files";
import { MESSAGES } from "../../server/contract/messages";
import { signOffPdfPath } from "../../server/contract/sign-off-pdf";
import { VITALS_PATH, vitalsSchema } from "../../server/contract/vitals";
import { RULES } from "../../server/core/rate-limit";
import { EXPORT_FORMATS, exportQuerySchema } from "../../server/exports/download";
import { pushSchema, WEBHOOK_PATH } from "../../server/github/webhook";
import { type DescribedError, type JsonSchema, toJsonSchema } from "./read-procedures";
import { ACCESS_LABELS, limitOf, sharedErrorsOf } from "./reference-text";

/** What is called over HTTP and is no procedure: its own body, and an answer without envelopes. */
export interface HttpEndpoint {
  /** Its operation in the OpenAPI document. */
  name: string;
  kind: "download" | "upload" | "report" | "webhook";
  method: "get" | "post";
  path: string;
  summary: string;
  docs: string;
  access: string;
  limit: string | null;
  /** As OpenAPI writes it. */
  security: Record<string, string[]>[];
  parameters: JsonSchema[];
  body: JsonSchema | null;
  /** JSON, unless said otherwise. */
  bodyType?: string;
  answer: { type: string; schema: JsonSchema };
  refusals: DescribedError[];
}

/** The types of the contract that only these answer with. */
export const HTTP_TYPES = ["ExportedProject"] as const;

const EXPORT_ACCESS = "employees";
const FOREIGN: DescribedError = { code: "FORBIDDEN", sentence: MESSAGES.general.foreignOrigin };
const INTERNAL: DescribedError = { code: "INTERNAL_SERVER_ERROR", sentence: MESSAGES.general.internal };
const TOO_LARGE: DescribedError = { code: "PAYLOAD_TOO_LARGE", sentence: MESSAGES.general.tooLarge };
const UNREADABLE: DescribedError = { code: "BAD_REQUEST", sentence: MESSAGES.general.unreadable };
const MESSAGE: JsonSchema = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };

export const HTTP_ENDPOINTS: HttpEndpoint[] = [
  ...EXPORT_FORMATS.map(exportEndpoint),
  everythingEndpoint(),
  uploadEndpoint(),
  fileEndpoint("file"),
  fileEndpoint("thumbnail"),
  signOffEndpoint(),
  {
    name: "http.vitals",
    kind: "report",
    method: "post",
    path: VITALS_PATH,
    summary: "Report page speed",
    docs: "What a page sends about its speed when it is left: the path of a page that exists, and at most one value of each kind.",
    access: ACCESS_LABELS.anyone,
    limit: `${RULES.vitals.points} in an hour for each network address`,
    security: [{}],
    parameters: [],
    body: toJsonSchema(vitalsSchema),
    answer: { type: "application/json", schema: MESSAGE },
    refusals: [UNREADABLE, FOREIGN, TOO_LARGE, { code: "TOO_MANY_REQUESTS", sentence: null }, INTERNAL],
  },
  {
    name: "http.githubWebhook",
    kind: "webhook",
    method: "post",
    path: WEBHOOK_PATH,
    summary: "Receive GitHub's webhook",
    docs: "GitHub calls it after a push, signed in `X-Hub-Signature-256` with the secret `GITHUB_WEBHOOK_SECRET`; without that secret there is no such address. A push to the default branch has the repository read at once. Other events are answered and ignored.",
    access: "GitHub, with a signature",
    limit: null,
    security: [{}],
    parameters: [
      headerOf("X-Hub-Signature-256", "`sha256=` and the HMAC of the body with the secret, in hexadecimal digits."),
      headerOf("X-GitHub-Event", "`push` is read."),
    ],
    body: toJsonSchema(pushSchema),
    answer: { type: "application/json", schema: MESSAGE },
    refusals: [
      UNREADABLE,
      { code: "UNAUTHORIZED", sentence: MESSAGES.github.unsigned },
      { code: "NOT_FOUND", sentence: MESSAGES.general.notFound },
      TOO_LARGE,
      INTERNAL,
    ],
  },
];

function exportEndpoint(format: (typeof EXPORT_FORMATS)[number]): HttpEndpoint {
  const { properties } = toJsonSchema(exportQuerySchema);
  const projects = { type: "array", items: { $ref: "#/components/schemas/ExportedProject" } };
  const file = {
    type: "object",
    properties: { exportedAt: { type: "string", format: "date-time" }, projects },
    required: ["exportedAt", "projects"],
  };
  const asked = { access: EXPORT_ACCESS, limit: null, kind: "Mutation", inputSchema: {} } as const;
  return {
    name: `http.exportProjects${format === "csv" ? "Csv" : "Json"}`,
    kind: "download",
    method: "get",
    path: `/api/export/projects.${format}`,
    summary: `Export projects as ${format.toUpperCase()}`,
    docs: `Projects with their tasks as a file: ${format === "csv" ? "a line for each task, and one for a project without tasks" : "for programs"}. Everything for admins (with \`scope=mine\` their own board), for users what they see. Each export is in the audit; five of a person run at a time. A file that breaks off is not whole: the session has ended, or a project is gone.`,
    access: ACCESS_LABELS[EXPORT_ACCESS],
    limit: limitOf(asked),
    security: [{ apiKey: [] }, { session: [] }],
    parameters: Object.entries(Object(properties)).map(([name, schema]) => ({
      name,
      in: "query",
      description: "`all` unless given.",
      schema,
    })),
    body: null,
    answer:
      format === "csv" ? { type: "text/csv", schema: { type: "string" } } : { type: "application/json", schema: file },
    refusals: [...sharedErrorsOf({ ...asked, kind: "Query" }), FOREIGN],
  };
}

function everythingEndpoint(): HttpEndpoint {
  const asked = { access: "admins", limit: null, kind: "Mutation", inputSchema: {} } as const;
  const refusals = sharedErrorsOf({ ...asked, kind: "Query" });
  return {
    name: "http.exportEverything",
    kind: "download",
    method: "get",
    path: "/api/export/everything.zip",
    summary: "Export everything",
    docs: "What `npm run export` writes: `sangam.json`, which `npm run import` reads, a CSV of each table, the uploaded files, and an `index.html` that explains them; no passwords and no secrets. Asks for a fresh proof, which an API key cannot give. Each export is in the audit; two run at a time. A file that breaks off is not whole: the session has ended.",
    access: `${ACCESS_LABELS.admins} in a browser, with a fresh proof`,
    limit: limitOf(asked),
    security: [{ session: [] }],
    parameters: [],
    body: null,
    answer: { type: "application/zip", schema: { type: "string", format: "binary" } },
    refusals: [
      ...refusals,
      { code: "FORBIDDEN", sentence: MESSAGES.twoFactor.proofRequired },
      { code: "TOO_MANY_REQUESTS", sentence: null },
      FOREIGN,
    ],
  };
}

function uploadEndpoint(): HttpEndpoint {
  const asked = { access: "active", limit: null, kind: "Mutation", inputSchema: {} } as const;
  return {
    name: "http.uploadFile",
    kind: "upload",
    method: "post",
    path: FILES_PATH,
    summary: "Upload a file",
    docs: "The file is the raw body, its name stands in the address. It is its uploader's alone until `files.attach`, a comment or a message attaches it, and is deleted after a day without. Its type is read from the bytes; pictures lose where they were taken. Refusals are `{message, reason}`, without the envelope of the calls.",
    access: ACCESS_LABELS.active,
    limit: limitOf(asked),
    security: [{ apiKey: [] }, { session: [] }],
    parameters: [
      { name: "name", in: "query", required: true, description: "1 to 255 characters.", schema: { type: "string" } },
    ],
    body: { type: "string", format: "binary", maxLength: MAX_FILE_BYTES },
    bodyType: "application/octet-stream",
    answer: { type: "application/json", schema: { $ref: "#/components/schemas/File" } },
    refusals: [
      ...sharedErrorsOf({ ...asked, kind: "Query" }),
      FOREIGN,
      { code: "FORBIDDEN", sentence: MESSAGES.apiKeys.readsOnly },
      { code: "BAD_REQUEST", sentence: MESSAGES.files.interrupted },
      { code: "PAYLOAD_TOO_LARGE", sentence: MESSAGES.files.tooLarge },
      { code: "CONFLICT", sentence: MESSAGES.files.quotaExceeded },
      { code: "CONFLICT", sentence: MESSAGES.files.tooManyUnattached },
    ],
  };
}

function fileEndpoint(part: "file" | "thumbnail"): HttpEndpoint {
  const asked = { access: "active", limit: null, kind: "Query", inputSchema: null } as const;
  const isFile = part === "file";
  const id = { name: "id", in: "path", required: true, description: "Of the file.", schema: { type: "string" } };
  return {
    name: isFile ? "http.downloadFile" : "http.downloadThumbnail",
    kind: "download",
    method: "get",
    path: `${FILES_PATH}/{id}${isFile ? "" : "/thumbnail"}`,
    summary: isFile ? "Download a file" : "Download a picture's thumbnail",
    docs: isFile
      ? "For whoever sees what it hangs on. Pictures and text are shown, all else is saved; `?preview` shows a PDF, `?download` saves whatever it is. With `ETag`, and in parts by `Range`."
      : "A WebP of 480 pixels at most on each side, of files with a `width`.",
    access: ACCESS_LABELS.active,
    limit: limitOf(asked),
    security: [{ apiKey: [] }, { session: [] }],
    parameters: [id],
    body: null,
    answer: { type: isFile ? "application/octet-stream" : "image/webp", schema: { type: "string", format: "binary" } },
    refusals: [...sharedErrorsOf(asked), { code: "NOT_FOUND", sentence: MESSAGES.files.notFound }],
  };
}

function signOffEndpoint(): HttpEndpoint {
  const asked = { access: "active", limit: null, kind: "Mutation", inputSchema: null } as const;
  const id = { name: "id", in: "path", required: true, description: "Of the sign-off.", schema: { type: "string" } };
  return {
    name: "http.signOffPdf",
    kind: "download",
    method: "get",
    path: signOffPdfPath("{id}"),
    summary: "Download a sign-off as a PDF",
    docs: "What its page shows, for whoever may read it, with times in UTC. Documents are drawn one after the other; two of a person may wait.",
    access: ACCESS_LABELS.active,
    limit: limitOf(asked),
    security: [{ apiKey: [] }, { session: [] }],
    parameters: [id],
    body: null,
    answer: { type: "application/pdf", schema: { type: "string", format: "binary" } },
    refusals: [
      ...sharedErrorsOf(asked),
      { code: "NOT_FOUND", sentence: MESSAGES.signOffs.notFound },
      { code: "SERVICE_UNAVAILABLE", sentence: MESSAGES.signOffs.pdfFailed },
    ],
  };
}

function headerOf(name: string, description: string): JsonSchema {
  return { name, in: "header", required: true, description, schema: { type: "string" } };
}
