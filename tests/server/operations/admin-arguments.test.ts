// A mistyped command does something else, shows a secret, or a name moves the terminal's cursor.
import { expect, test } from 'vitest'
import { COMMANDS, parseArguments } from '../../../server/ops/admin/arguments.ts'
import { asTable, asText } from '../../../server/ops/admin/output.ts'

const parse = (line: string) => parseArguments(line.split(' ').filter(Boolean))

test('a command has its arguments and options in any order', () => {
  const options = { superadmin: true, fromStdin: false, confirmed: false }
  const wanted = { command: 'user create', values: ['a@b.c'], isJson: true, options }
  expect(parse('user create --json a@b.c --superadmin')).toEqual(wanted)
  expect(parse('user create --name Ada a@b.c')).toMatchObject({ options: { name: 'Ada' } })
  expect(parse('setup-link')).toMatchObject({ command: 'setup-link', isJson: false })
})

test.each(Object.keys(COMMANDS))(
  '%s has a help of its own, and needs all its arguments',
  (name) => {
    expect(parse(`${name} --help`)).toEqual({
      help: expect.stringContaining(`  ${name}`) as string,
    })
    expect(() => parse(`${name} one two three`)).toThrow(/^Usage: npm run admin -- /)
  },
)

test.each([
  ['usr list', 'There is no command “usr”, but user create,'],
  ['user', 'There is no command “user”, but user create, user list,'],
  ['user list --yes', '“user list” has no option --yes. Usage: user list'],
  ['user delete --force a@b.c', '“user delete” does not take --force. Usage: user delete'],
  ['user create a@b.c --name', '“user create” does not take --name. Usage: user create'],
  ['user delete', 'Usage: npm run admin -- user delete <email> [--yes]'],
])('%s is rejected in one line', (line, message) => {
  expect(() => parse(line)).toThrow(message)
})

test('a password among the arguments is rejected and not repeated', () => {
  const attempt = () => parse('user create a@b.c --password=secret')
  expect(attempt).toThrow('“user create” does not take --password.')
  expect(attempt).not.toThrow(/secret/)
})

test('rows become a table, and names cannot move the cursor or reverse the text', () => {
  const rows = [
    { email: 'ada@example.com', last_seen: null, superadmin: true },
    { email: 'e\u001b[2J\u202ev', last_seen: '2026', superadmin: false },
  ]
  expect(asTable(rows).split('\n')).toEqual([
    'email            last seen  superadmin',
    'ada@example.com  -          yes',
    'e [2J v          2026       no',
  ])
  expect(asTable([])).toBe('None.')
  expect(asText({ message: 'Done.', details: { link: 'x' } }, true)).toBe(
    '{\n  "message": "Done.",\n  "link": "x"\n}',
  )
})
