// What is mutated, and by which tests.
import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'

export type Project = 'unit' | 'server' | 'browser'

interface Room {
  name: string
  sources: readonly string[]
  /** Files for code that no test in a Node process reaches. */
  browserTests: readonly string[]
}

const APP_IN_BROWSER = [
  'tests/browser/sync/post-pressed-twice.test.ts',
  'tests/browser/sync/two-tabs.test.ts',
  'tests/browser/offline/cold-start-without-network.test.ts',
]

/** Whose failure loses or distorts what a user wrote. */
export const ROOMS: readonly Room[] = [
  {
    name: 'sync engine',
    sources: ['src/sync/**/*.{ts,tsx}'],
    browserTests: APP_IN_BROWSER,
  },
  {
    name: 'optimistic overlay',
    sources: [
      'src/data/{accounts,actions,edit-action,initiatives,optimistic,position}.ts',
      'src/data/{change-records,queue-own-change,record-states}.ts',
      'src/data/success-plans/{overlay,post-update}.ts',
      'src/data/operations/{conflict-fields,operation-call,pending-edits}.ts',
    ],
    browserTests: APP_IN_BROWSER,
  },
  {
    name: 'service worker',
    sources: ['sw/!(*.d).ts'],
    browserTests: [
      'tests/browser/sync/app-closed-before-sending.test.ts',
      'tests/browser/offline/cold-start-without-network.test.ts',
      'tests/browser/offline/app-updated-with-pending-operations.test.ts',
      'tests/browser/offline/build-of-an-open-tab-deleted.test.ts',
      'tests/browser/offline/two-builds-side-by-side.test.ts',
      'tests/browser/shell/installed-app.test.ts',
    ],
  },
  {
    name: 'server write path',
    sources: [
      'server/routes/{accounts,actions,initiatives,settings,templates,push-subscriptions}.ts',
      'server/routes/{organisation*,success-plan*}.ts',
      'server/routes/auth/{token,register,recovery,userinfo}.ts',
      'server/domain/!(billing-state|subscriptions|plan-limits).ts',
      'server/http/{authenticate,idempotency,if-match,present,reject-arrays}.ts',
      'server/http/{request-body,route,route-no-tx,to-http-error}.ts',
      'server/auth/{tokens,token-key}.ts',
    ],
    browserTests: [],
  },
]

/** The sources of a room in the repository at `root`, sorted. */
export const sourcesOf = ({ sources }: Room, root: string): string[] =>
  globSync([...sources], { cwd: root }).toSorted()

/** The room of a source file; undefined for a file that is not mutated. */
export const roomOf = (file: string): Room | undefined =>
  ROOMS.find(({ sources }) => sources.some((pattern) => matchesGlob(file, pattern)))

/** Tests in a Node process. The planted bugs of the simulation say nothing about another mutant. */
export const TESTS: Record<Exclude<Project, 'browser'>, string> = {
  unit: 'tests/{contract,sync,screens}/**/!(mutants).test.{ts,tsx}',
  server: 'tests/server/!(postgres|process)/**/*.test.ts',
}

export const projectOf = (test: string): Project =>
  test.startsWith('tests/browser/')
    ? 'browser'
    : test.startsWith('tests/server/')
      ? 'server'
      : 'unit'
