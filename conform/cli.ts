// `npm run conform -- https://api.example.com --email … --password … [--write] [--origin …] [--json report.json]`
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { checkServer } from './check-server.ts'
import { LEVELS, type Finding, type ReportJson } from './report.ts'

/** As this process was started: of a release, or of the sources. */
const TYPED =
  basename(process.argv[1] ?? '') === 'cairn' ? 'node cairn conform' : 'npm run conform --'
const USAGE = `Usage: ${TYPED} https://api.example.com --email … --password … [--write] [--origin https://cairn.example.com] [--json report.json]`

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      password: { type: 'string' },
      write: { type: 'boolean', default: false },
      origin: { type: 'string' },
      json: { type: 'string' },
    },
  })
  const [url = ''] = positionals
  const { email, password, origin } = values
  if (positionals.length !== 1 || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Error(USAGE)
  if (email === undefined || password === undefined) throw new Error(USAGE)
  if (origin !== undefined && (!URL.canParse(origin) || new URL(origin).origin !== origin))
    throw new Error(USAGE)
  return { ...values, url, email, password }
}

const textOf = ({ call, field, value, expectation }: Finding) =>
  `    ${call}\n      ${field}: ${value}\n      expected: ${expectation}`

function* linesOf(report: ReportJson): Generator<string> {
  yield `${report.url}: ${report.checks} checks`
  for (const level of LEVELS) {
    yield `  ${level}: ${report.levels[level]}`
    for (const finding of report.findings.filter((one) => one.level === level))
      yield `  ${finding.capability ? `without ${finding.capability}` : 'wrong'}\n${textOf(finding)}`
  }
  for (const note of report.notes) yield `Note: ${note}`
  if (report.notTried.length > 0) yield `Not called: ${report.notTried.join(', ')}.`
  yield `Level: ${report.level ?? 'none'}`
  yield 'For config.json, unless the server sends the header Cairn-Capabilities:'
  yield `  "capabilities": ${JSON.stringify(report.capabilities)}`
}

try {
  const { url, email, password, write, origin, json } = readArguments()
  const { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret } = process.env
  const credentials = {
    email,
    password,
    clientId: clientId || 'cairn-app',
    clientSecret: clientSecret || 'cairn-app-is-public',
  }
  const report = await checkServer(url, credentials, write, origin)
  for (const line of linesOf(report)) console.log(line)
  if (json !== undefined) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
  const { levels } = report
  // A lack of capabilities is no failure: the app does without them.
  if (levels.reads === 'failed' || levels.writes === 'failed') process.exitCode = 1
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
