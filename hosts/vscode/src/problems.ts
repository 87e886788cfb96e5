import * as vscode from 'vscode';
import type { CheckReport } from '../../../web/api/check-report';
import type { DoctorReport } from '../../../web/api/doctor';

const SEVERITY = vscode.DiagnosticSeverity;
/** The range of all problems: a ROOT file has no lines, so they are at its beginning. */
const START = new vscode.Range(0, 0, 0, 0);

export function doctorProblems({ findings }: DoctorReport): vscode.Diagnostic[] {
  const severity = { bad: SEVERITY.Error, poor: SEVERITY.Warning, note: SEVERITY.Information };
  return findings.map(({ rule, grade, tree, evidence, remedies }) => {
    const repair = remedies.find((one) => one.for === 'xylem')?.lines.join(' ');
    const text = `${tree === undefined ? '' : `${tree}: `}${evidence}${repair === undefined ? '' : ` Repair: ${repair}`}`;
    return problem(text, severity[grade], `doctor(${rule})`);
  });
}

export function checkProblems({ files }: { files: CheckReport[] }): vscode.Diagnostic[] {
  const severity = { error: SEVERITY.Error, warning: SEVERITY.Warning, note: SEVERITY.Information };
  return files.flatMap(({ findings }) =>
    findings.map(({ rule, severity: grave, message, path }) =>
      problem(path ? `${path}: ${message}` : message, severity[grave], `check(${rule})`),
    ),
  );
}

function problem(text: string, severity: vscode.DiagnosticSeverity, source: string): vscode.Diagnostic {
  const made = new vscode.Diagnostic(START, text, severity);
  made.source = `xylem ${source}`;
  return made;
}
