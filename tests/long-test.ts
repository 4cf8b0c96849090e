// Tests that `npm test` leaves to `npm run test:long`.
import { test, type TestFunction, type TestOptions } from 'vitest'
import { isLongRun } from './sample.ts'

/**
 * A test of a long run only: of a rare situation, of a variant, of what takes minutes, or of what other tests
 * cover for the most part.
 */
export function longTest(title: string, body: TestFunction, options: TestOptions = {}): void {
  if (isLongRun) test(title, options, body)
}
