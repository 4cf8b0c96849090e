// Checks one server, level after level, and cleans up what it made.
import {
  checkOtherCalls,
  checkPartsAndEffects,
  checkRenewals,
  checkVersions,
} from './capabilities.ts'
import { Client, NoAnswer, type Credentials } from './client.ts'
import { idOf, recordsOf } from './records.ts'
import { checkCors } from './cors.ts'
import { checkLive, checkLiveReads } from './live.ts'
import { checkReads } from './reads.ts'
import { Report, type ReportJson } from './report.ts'
import { checkWritesOnce } from './writes-once.ts'
import { checkWrites, enterOrganisation, type CleanUp } from './writes.ts'

/**
 * Checks the server at `url` as one of its users. With `write` it also creates, edits and deletes records,
 * in an organisation called `cairn-conform…`. What it finds is in the report; a server that stops answering
 * is a finding as well. With `origin` it also checks whether the app may call it from there.
 */
export async function checkServer(
  url: string,
  credentials: Credentials,
  write: boolean,
  origin?: string,
): Promise<ReportJson> {
  const report = new Report(url)
  const client = new Client(url, credentials, report)
  report.begin('reads')
  const cleanUp: CleanUp = []
  try {
    if (await client.signIn()) {
      await checkEverythingRead(client)
      if (write && (await enterOrganisation(client, cleanUp))) await checkWritten(client, cleanUp)
      else {
        report.notes.push('Without --write, only what reading shows is known.')
        await checkLiveReads(client)
        await checkOtherCalls(client, false)
      }
      if (origin !== undefined) await checkCors(client, origin)
    }
  } catch (error) {
    recordNoAnswer(report, error)
  }
  for (const undo of cleanUp.toReversed())
    await undo().catch((error: unknown) => recordNoAnswer(report, error))
  return report.toJson(client.notCalled())
}

async function checkEverythingRead(client: Client): Promise<void> {
  const [organisation] = recordsOf((await client.send('listOrganisations')).json)
  const id = organisation ? idOf(organisation) : null
  if (id !== null) client.organisation_id = String(id)
  else client.report.notes.push('This user has no organisation, so little could be read.')
  await checkReads(client)
}

async function checkWritten(client: Client, cleanUp: CleanUp): Promise<void> {
  const made = await checkWrites(client, cleanUp)
  await checkWritesOnce(client, made, cleanUp)
  await checkVersions(client, made)
  await checkLive(client, made)
  await checkPartsAndEffects(client, made)
  await checkRenewals(client, made)
  await checkOtherCalls(client, true)
}

/** Rethrows an error that the server did not cause. */
function recordNoAnswer(report: Report, error: unknown): void {
  if (!(error instanceof NoAnswer)) throw error
  report.check(false, 'reads', {
    call: error.call,
    field: 'answer',
    value: error.message,
    expectation: 'an answer within 20 s, without a redirect',
  })
}
