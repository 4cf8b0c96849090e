import { useMemo, type ComponentProps } from 'react'
import { LOCALE } from '../../../contract/text/locale.ts'
import { SelectField } from './field.tsx'

type FieldProps = Omit<ComponentProps<typeof SelectField>, 'children'> & { value: string }

const spoken = (zone: string) => zone.replaceAll('_', ' ')

/**
 * Chooses an IANA time zone, grouped by continent. The current value is offered even if this browser
 * does not list it.
 */
export function TimeZoneField(props: FieldProps) {
  const { value } = props
  const continents = useMemo(() => {
    const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', value])
    return Object.groupBy([...zones].toSorted(), (zone) => /^(\w+)\//.exec(zone)?.[1] ?? '')
  }, [value])
  return (
    <SelectField {...props}>
      {Object.entries(continents).map(([continent, zones = []]) =>
        continent === '' ? (
          zones.map((zone) => <option key={zone}>{zone}</option>)
        ) : (
          <optgroup key={continent} label={continent}>
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {spoken(zone.slice(continent.length + 1))}
              </option>
            ))}
          </optgroup>
        ),
      )}
    </SelectField>
  )
}

const NAMES = new Intl.DisplayNames(LOCALE, { type: 'currency' })

/** Chooses an ISO 4217 currency by code and name. */
export function CurrencyField(props: FieldProps) {
  const { value } = props
  const codes = useMemo(
    () => [...new Set([...Intl.supportedValuesOf('currency'), value])].toSorted(),
    [value],
  )
  return (
    <SelectField {...props}>
      {codes.map((code) => (
        <option key={code} value={code}>
          {nameOf(code)}
        </option>
      ))}
    </SelectField>
  )
}

function nameOf(code: string): string {
  try {
    return `${code} · ${NAMES.of(code)}`
  } catch {
    // A stored value may not be a valid code.
    return code
  }
}
