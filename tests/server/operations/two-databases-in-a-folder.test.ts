// An older server was started on a folder that had been moved to PostgreSQL: the newer data is put aside as the old one.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { moveToPostgres } from '../../../server/ops/move-to-postgres.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-two-databases-'))
  const path = folder
  onTestFinished(() => rmSync(path, { recursive: true }))
  for (const name of ['database', 'postgres']) {
    mkdirSync(join(path, name))
    writeFileSync(join(path, name, 'PG_VERSION'), name)
  }
})
const MARK = 'moving-to-postgres'
const foldersIn = () => readdirSync(folder).filter((name) => /^(database|postgres)/.test(name))

test('two databases end the start, which names them and leaves both', async () => {
  await expect(moveToPostgres(folder)).rejects.toThrow(
    `DATA_DIR holds two databases, ${folder}/postgres and ${folder}/database. Move one away.`,
  )
  expect(foldersIn()).toEqual(['database', 'postgres'])
})

test('a move that was killed before its last step is completed, beside what an earlier one kept', async () => {
  mkdirSync(join(folder, 'database-before-postgres/base'), { recursive: true })
  writeFileSync(join(folder, MARK), '')
  await moveToPostgres(folder)
  expect(foldersIn()).toEqual([
    'database-before-postgres',
    'database-before-postgres-2',
    'postgres',
  ])
  expect(existsSync(join(folder, MARK))).toBe(false)
})

test('what a move left after its last step is removed', async () => {
  rmSync(join(folder, 'database'), { recursive: true })
  writeFileSync(join(folder, MARK), '')
  await moveToPostgres(folder)
  expect(existsSync(join(folder, MARK))).toBe(false)
})
