// Archives that are cut, changed, too new, too large or not what they seem: each is refused as a whole, with
// file, line and reason.
import * as fc from 'fast-check'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256, signedManifest, type Contents } from '../../../src/features/archive/format.ts'
import { limitProblems } from '../../../src/features/archive/limit-problems.ts'
import { readArchive } from '../../../src/features/archive/read-archive.ts'
import { restoreAccount } from '../../../src/features/archive/restore-account.ts'
import { restore } from '../../../src/features/archive/restore.ts'
import { LIMITS } from '../../../src/features/archive/limits.ts'
import { DamagedError, TooLargeError, unpack } from '../../../src/features/archive/unpack.ts'
import { writeArchive } from '../../../src/features/archive/write-archive.ts'
import { accountWith, planWith, updateWith } from '../fixtures/record-fixtures.ts'
import { API, manifestOf, originOf } from './archive-fixture.ts'

const contents: Contents = {
  people: [{ id: 'ada', name: 'Ada Fell', email: 'ada@example.com' }],
  accounts: [accountWith({ id: 'a1', name: 'Ålesund' }), accountWith({ id: 'a2' })],
  success_plans: [planWith({ account_id: 'a1' })],
  success_plan_updates: [updateWith({ body: 'Première étape' }), updateWith({ id: 'u2' })],
  initiatives: [],
  actions: [],
  templates: [],
}
let whole: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  whole = (await writeArchive(contents, originOf('north', 'North'))).bytes
})

const problemsOf = async (bytes: Uint8Array) => {
  const read = await readArchive(bytes)
  return read.ok ? [] : read.problems
}

/** The archive with one file changed; its checksum is that of the change if `signed`. */
async function changed(
  name: string,
  change: (text: string) => string | Uint8Array<ArrayBuffer>,
  signed = false,
) {
  const files = unzipSync(whole)
  const made = change(strFromU8(files[name] ?? new Uint8Array()))
  const bytes = typeof made === 'string' ? strToU8(made) : made
  files[name] = bytes
  if (signed) {
    const manifest = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array())) as {
      files: { name: string; sha256: string }[]
    }
    for (const file of manifest.files) if (file.name === name) file.sha256 = await sha256(bytes)
    files['manifest.json'] = strToU8(await signedManifest(manifest))
  }
  return zipSync(files)
}
async function manifestWith(fields: object) {
  const files = unzipSync(whole)
  const manifest = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array())) as object
  files['manifest.json'] = strToU8(await signedManifest({ ...manifest, ...fields }))
  return zipSync(files)
}

describe('an archive', () => {
  it('has a readable manifest, JSON lines and tables', async () => {
    const files = unzipSync(whole)
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        'manifest.json',
        'success-plans.jsonl',
        'updates.csv',
        'contacts.csv',
      ]),
    )
    expect(strFromU8(files['updates.csv'] ?? new Uint8Array())).toContain('Ada')
    const read = await readArchive(whole)
    expect(read.ok && read.contents.accounts.map(({ name }) => name)).toEqual([
      'Ålesund',
      'Northwind',
    ])
  })

  it('is refused wherever it is cut or a byte of it is changed, or is read as it was', async () => {
    const original = await readArchive(whole)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.boolean(), async (at, cut) => {
        const damaged = cut ? whole.slice(0, at) : whole.slice()
        if (!cut) damaged[at] = (damaged[at] ?? 0) ^ 0x55
        const read = await readArchive(damaged)
        // A byte of a table for people, or of a date of the container, changes nothing that is imported.
        if (read.ok) expect({ cut, read }).toEqual({ cut: false, read: original })
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    ['no archive', async () => strToU8('Name,ARR\nNorth,5'), [{ reason: /damaged/ }]],
    ['another ZIP', async () => zipSync({ 'a.txt': strToU8('a') }), [{ reason: /not an archive/ }]],
    ['of a newer version', () => manifestWith({ version: 2 }), [{ reason: /newer version/ }]],
    ['of another format', () => manifestWith({ format: 'x' }), [{ reason: /not an archive/ }]],
    ['without counts', () => manifestWith({ files: undefined }), [{ reason: /^.?files/ }]],
    [
      'with a changed manifest',
      () => changed('manifest.json', (text) => text.replace('Europe/Berlin', 'Europe/Paris')),
      [{ file: 'manifest.json', reason: /changed/ }],
    ],
    [
      'with a changed record',
      () => changed('accounts.jsonl', (text) => text.replace('Ålesund', 'Bergen')),
      [{ file: 'accounts.jsonl', reason: /changed/ }],
    ],
    [
      'with a missing line',
      () => changed('accounts.jsonl', (text) => text.replace(/.*\n$/, '')),
      [{ file: 'accounts.jsonl', line: 2, reason: /1 of 2 lines/ }],
    ],
    [
      'in another encoding',
      () =>
        changed('success-plan-updates.jsonl', (text) =>
          Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
        ),
      [{ file: 'success-plan-updates.jsonl', line: 1, reason: /UTF-8/ }],
    ],
    [
      'with a line that is cut',
      () => changed('success-plan-updates.jsonl', (text) => text.slice(0, -9)),
      [{ file: 'success-plan-updates.jsonl', line: 2, reason: /JSON/ }],
    ],
    [
      'with a value of the wrong type',
      () =>
        changed('accounts.jsonl', (text) => text.replace('"name":"Northwind"', '"name":5'), true),
      [{ file: 'accounts.jsonl', line: 2, reason: /name/ }],
    ],
    [
      'with an update of no plan',
      () =>
        changed(
          'success-plans.jsonl',
          (text) => text.replace(/"id":"[^"]+"/, '"id":"other"'),
          true,
        ),
      [
        { file: 'success-plan-updates.jsonl', line: 1, reason: /plan/ },
        { file: 'success-plan-updates.jsonl', line: 2, reason: /plan/ },
      ],
    ],
    ['too large', async () => new Uint8Array(LIMITS.archiveBytes + 1), [{ reason: /larger/ }]],
    [
      'of too many records',
      () =>
        manifestWith({
          files: [{ name: 'x', lines: LIMITS.lines + 1, bytes: 1, sha256: '0'.repeat(64) }],
        }),
      [{ reason: /records/ }],
    ],
    [
      'of too many entries in its records',
      () => {
        const tags = JSON.stringify(Array.from({ length: LIMITS.elements }, () => 'a'))
        return changed(
          'accounts.jsonl',
          (text) => text.replaceAll('"tags":[]', `"tags":${tags}`),
          true,
        )
      },
      [{ reason: /more than 500,000 .* entries/ }],
    ],
  ])('%s is refused', async (_, make, expected) => {
    expect(await problemsOf(await make())).toEqual(
      expected.map(({ reason, ...place }) =>
        expect.objectContaining({ ...place, reason: expect.stringMatching(reason) }),
      ),
    )
  })

  it('that would fill the memory is stopped at the limit, whatever size it declares', () => {
    const bomb = zipSync({ 'accounts.jsonl': new Uint8Array(20_000_000) })
    expect(bomb.length).toBeLessThan(30_000)
    // The declared size is in both headers.
    const view = new DataView(bomb.buffer)
    for (let at = 0; at < bomb.length - 4; at++)
      if (view.getUint32(at, true) === 20_000_000) view.setUint32(at, 100, true)
    expect(() => unpack(bomb, () => true, 1_000_000)).toThrow(TooLargeError)
    expect(() => unpack(bomb.slice(0, 400), () => true, 1_000_000)).toThrow(DamagedError)
  })

  it('with a record that the server would not take is refused before anything is queued', () => {
    const target = {
      organisation_id: 'south',
      apis: [API],
      user: { id: '01980000-0000-7000-8000-0000000000b0', name: 'Bob', email: 'b@example.com' },
    }
    const existing = { ...contents, accounts: [], success_plans: [], success_plan_updates: [] }
    const accounts = [accountWith({ id: 'a1' }), accountWith({ id: 'a2', name: ' ' })]
    const { problems } = restore(
      manifestOf('north', 'North'),
      { ...contents, accounts },
      {
        ...target,
        members: [],
        existing,
        aliases: new Map(),
        isUnsent: () => false,
        plansWithoutUpdates: [],
        keeps: () => true,
        addsTemplates: true,
      },
    )
    expect(problems).toMatchObject([{ file: 'accounts.jsonl', line: 2 }])
  })

  it('with very many renewals in one account is prepared within moments', () => {
    const renewal = {
      due: '2026-01-01',
      outcome: 'renewed' as const,
      currency: 'EUR',
      amount: null,
      next_date: null,
      note: null,
      user_id: 'ada',
      recorded_at: '2026-01-01T10:00:00Z',
    }
    const renewals = Array.from({ length: 600_000 }, (_, at) => ({ ...renewal, id: `r${at}` }))
    const calls = restoreAccount(accountWith({ renewals }), undefined, {
      idOf: (_, id) => id,
      memberOf: () => undefined,
      user_id: 'ada',
      signed: (text) => text,
      isUnsent: () => false,
    })
    expect(calls).toHaveLength(renewals.length)
  })

  it('that the plan of the organisation has no room for is refused', () => {
    const known = { added: 0, known: 0 }
    const counts = {
      accounts: { added: 25, known: 0 },
      success_plans: { added: 9, known: 0 },
      success_plan_updates: known,
      initiatives: known,
      actions: known,
      templates: known,
    }
    const existing = { accounts: contents.accounts, success_plans: [planWith()], templates: [] }
    expect(limitProblems('free', existing, counts)).toHaveLength(1)
    expect(limitProblems('professional', existing, counts)).toEqual([])
  })
})
