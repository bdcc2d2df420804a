#!/usr/bin/env bash
# The program as its users meet it: exit codes, messages, files. One line per check; fails if any does.
# Wants SINEW, the path of the program; runs from anywhere.
set -u
# shellcheck source=tests/checks.sh
source "$(dirname "$0")/../checks.sh"
model=$root/models/pendulum.yaml

begins() { # begins FILE HEX NAME: the first bytes of a file
  local head
  head=$(head -c $((${#2} / 2)) "$1" 2>/dev/null | od -An -tx1 | tr -d ' \n')
  if [[ $head == "$2" ]]; then say ok "$3"; else say no "$3" "begins with '$head'"; fi
}

# ---- help ----
exits 0 "--version" "$sinew" --version
has out "sinew " "--version names the program"
exits 0 "--help" "$sinew" --help
exits 1 "no command" "$sinew"
commands=$("$sinew" --help | awk '/^commands:/ {on = 1; next} on && NF == 0 {exit} on {print $1}')
for command in run check info view report render plot export compare converge sweep describe schema reference docs completion; do
  if [[ $commands == *"$command"* ]]; then say ok "$command is listed"; else say no "$command is listed"; fi
  exits 0 "help $command" "$sinew" help "$command"
  exits 0 "$command --help" "$sinew" "$command" --help
  has out "usage: sinew $command" "$command --help shows its usage"
  # The man page knows every option.
  for option in $(grep -oE '^ +(-[a-z], )?--[a-z]+' out | grep -oE -- '--[a-z]+'); do
    [[ $option == --help ]] && continue
    if grep -qF -- "Fl \\-${option#--}" "$root/docs/sinew.1"; then
      say ok "man page: $command $option"
    else
      say no "man page: $command $option"
    fi
  done
done

# ---- standard input and output ----
"$sinew" run - -o - --until 0.1 -q < "$model" > streamed.h5 2> err
exits 0 "run - -o -: a result on the standard output" "$sinew" info streamed.h5
has out "done" "run - -o -: it is whole"
exits 0 "names with blanks" "$sinew" run "$model" --until 0.1 -o "a b.h5"
has out "sinew view 'a b.h5'" "names with blanks are quoted in hints"
exits 0 "export in order" "$sinew" export streamed.h5 --output energy.total --output tip.y --output tip.x
has out "t,energy.total,tip.y,tip.x" "export keeps the order asked for"
exits 0 "plot -o -" "$sinew" plot streamed.h5 tip.x -o -
begins out 89504e47 "plot -o -: a picture"
exits 0 "report -o -" "$sinew" report streamed.h5 -o -
has out "<!doctype html>" "report -o -: a page"
exits 1 "render beyond the end" "$sinew" render streamed.h5 --time 99 -o frame.png
has err "covers 0 to 0.1 s" "render beyond the end: told"
exits 1 "render --trail of nothing" "$sinew" render streamed.h5 --trail tap -o frame.png
has err "no output 'tap'" "render --trail of nothing: told"
cp "$model" ./-x.yaml
exits 0 "a name like an option" "$sinew" run --until 0.1 -- -x.yaml
has out "sinew view ./-x.h5" "a name like an option: the hint can be typed"
exits 1 "a result for a model" "$sinew" run streamed.h5
has err "is a result, not a model" "a result for a model: told"
exits 4 "resume what is not there" "$sinew" run "$model" --resume nothing.h5
has err "No such file" "resume what is not there: told"
exits 4 "a profile that cannot be written" "$sinew" run "$model" --until 0.1 --profile nowhere/trace.json -o unprofiled.h5
[[ ! -e unprofiled.h5 ]] && say ok "told before the run" || say no "told before the run"
exits 1 "two integrators" "$sinew" run "$model" --until 0.1 --integrator radau --set integrator.tolerance=1e-4
has err "exclude each other" "two integrators: told"
exits 0 "describe joints" "$sinew" describe joints
has out "revolute" "describe joints: a list"
grep -q cable out && say no "describe joints: nothing else" || say ok "describe joints: nothing else"
exits 0 "describe --model" "$sinew" describe universal --model
cp out universal.yaml
exits 0 "describe --model: it runs" "$sinew" run universal.yaml
exits 1 "describe --model of a measure" "$sinew" describe maximum --model
has err "belongs to study files" "describe --model of a measure: said"

# ---- wrong command lines ----
exits 1 "unknown command" "$sinew" rnu
has err "did you mean 'run'?" "unknown command: nearest name"
exits 1 "unknown option" "$sinew" run --stpe 1e-3 "$model"
has err "sinew: run has no option '--stpe'; did you mean '--step'?" "unknown option: nearest name"
exits 1 "missing model" "$sinew" run
exits 1 "missing value" "$sinew" run "$model" --step
exits 1 "negative step" "$sinew" run "$model" --step -1
exits 1 "step that is no number" "$sinew" run "$model" --step=fast
exits 1 "step and tolerance" "$sinew" run "$model" --step 1e-3 --tolerance 1e-4
exits 1 "unknown integrator" "$sinew" run "$model" --integrator euler
exits 1 "unknown solver" "$sinew" run "$model" --solver gauss
exits 1 "too many operands" "$sinew" check "$model" "$model"
exits 1 "unknown kind" "$sinew" describe cabel
has err "did you mean 'cable'?" "unknown kind: nearest name"

# ---- models ----
exits 0 "check" "$sinew" check "$model"
has out "ok" "check says ok"
exits 0 "info of a model" "$sinew" info "$model"
has out "Flexible pendulum" "info tells the title"
sed 's/elements:/elemnts:/' "$model" >wrong.yaml
exits 2 "check of a wrong model" "$sinew" check wrong.yaml
has err "wrong.yaml:" "a wrong model is quoted with its file"
exits 2 "run of a wrong model" "$sinew" run wrong.yaml
cat >apart.yaml <<'END'
sinew: 1
bodies:
  a: {type: point-mass, mass: 1, position: [1, 0, 0]}
joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', a], length: 1.2}}
outputs: {height: {expression: 'a.y/9', unit: furlong}}
analysis: {type: dynamics, duration: 1}
END
exits 0 "check of parts that are apart" "$sinew" check apart.yaml
has out "'rod' (off by" "check names the joint that is violated at the start"
has out "bad: the initial positions were changed" "check has the verdict on the start"
sed 's/outputs:.*//; s/joints: {/&more: {type: distance, between: ["ground.at(0, 0, 0)", a], length: 2}, /' apart.yaml >torn.yaml
exits 3 "check of joints that contradict each other" "$sinew" check torn.yaml
has err "contradict each other" "check says which contradict each other"
exits 0 "a unit of an expression" "$sinew" run apart.yaml -q -o apart.h5
"$sinew" plot apart.h5 height.value >out
has out "furlong" "the unit of an expression is shown"
# A vibration whose rows are whole periods apart: no row has kinetic energy, and yet energy is exchanged.
cat >rows.yaml <<'END'
sinew: 1
planar: true
bodies: {b: {type: point-mass, position: [1.5, 0, 0], mass: 1}}
joints: {l: {type: point-on-line, between: ['ground.at(0, 0, 0)', b], axis: [1, 0, 0]}}
forces: {s: {type: spring, between: ['ground.at(0, 0, 0)', b], stiffness: 1, length: 1}}
analysis: {type: dynamics, duration: 2000*pi, output_step: 2*pi}
END
exits 0 "rows in step with the motion" "$sinew" run rows.yaml -o rows.h5
has out "trust           good" "rows in step with the motion: the energy between them counts"
exits 2 "unknown parameter" "$sinew" check "$model" --set Q=1
exits 4 "missing file" "$sinew" check nothing.yaml
exits 0 "describe" "$sinew" describe
exits 0 "describe cable" "$sinew" describe cable
exits 0 "schema" "$sinew" schema
has out '"$schema"' "schema is a JSON Schema"
exits 0 "reference" "$sinew" reference

# ---- a run ----
exits 0 "run" "$sinew" run "$model" --until 0.5
has out "energy error" "run ends with the audit"
has out "error estimate" "run has an error estimate"
has out "sinew plot pendulum.h5" "run says what to type next"
[[ -s pendulum.h5 && ! -e pendulum.h5.part ]] && say ok "default result" || say no "default result"
# Methods with fixed steps only have other settings than the companion.
exits 0 "run with fixed steps" "$sinew" run "$root/models/simple-pendulum.yaml" --integrator symplectic-euler --step 1e-3 --until 0.5 -o fixed.h5
has out "error estimate" "run with fixed steps has an error estimate"
exits 0 "run --quiet" "$sinew" run "$model" --until 0.1 --quiet -o quiet.h5 --set E=1e8 --set=L=0.5
[[ ! -s out && ! -s err ]] && say ok "quiet is quiet" || say no "quiet is quiet"
exits 0 "run with a fixed step" "$sinew" run "$model" --until 0.1 --step=1e-3 --integrator newmark -q -o fixed.h5
exits 4 "run into a missing directory" "$sinew" run "$model" -q -o nowhere/x.h5
has err "cannot write nowhere/x.h5: No such file or directory" "and one clear line"
[[ $(wc -l <err) == 1 ]] && say ok "only one line" || say no "only one line"
exits 4 "run into a device" "$sinew" run "$model" -q -o /dev/null
cp "$model" self.h5
exits 1 "run onto its own model" "$sinew" run self.h5
exits 0 "info of a result" "$sinew" info pendulum.h5
has out "status            done" "info tells the status"

# ---- other analyses ----
exits 0 "statics" "$sinew" run "$root/models/roll-up.yaml" -o roll.h5
has out "of the load factor" "statics tells its steps"
exits 0 "plot over the load factor" "$sinew" plot roll.h5 tip.y
has out "load" "it is over the load factor"
exits 0 "modes" "$sinew" run "$root/models/cantilever-modes.yaml" -o modes.h5
has out "8.381" "modes prints its table"
exits 0 "kinematics" "$sinew" run "$root/models/four-bar.yaml" -o four.h5
exits 0 "info of a mechanism" "$sinew" info "$root/models/four-bar.yaml"
has out "-3 by Gruebler's count" "info counts degrees of freedom"
has out "0 by rank" "info knows the rank"
has out "redundant with" "info names redundant equations"
exits 0 "a list of stages" "$sinew" run "$root/models/settle.yaml" -o settle.h5
has out "statics, modes, dynamics" "run tells its stages"

# ---- failures ----
sed 's/output_step: 0.01/&, integrator: {type: hht-i3, tolerance: 1e-13, min_step: 0.001}/' "$model" >hard.yaml
exits 3 "numerics fail: exit 3" "$sinew" run hard.yaml
has err "sinew: " "numerics fail: a message"
has out "hard.h5" "numerics fail: says where the result is"
exits 0 "numerics fail: the result is whole" "$sinew" info hard.h5
has out "status            failed: " "numerics fail: the status says why"
(ulimit -f 512 && exec timeout 60 "$sinew" run "$model" --until 100 -q -o full.h5) >out 2>err
[[ $? == 4 ]] && say ok "file size limit: exit 4" || say no "file size limit: exit 4" "$(cat err)"
has err "cannot write full.h5: File too large" "file size limit: one clear line"
exits 0 "file size limit: the result is whole" "$sinew" info full.h5
has out "failed" "file size limit: and says why"
"$sinew" run "$model" --until 1e6 -o stopped.h5 >out 2>err &
pid=$!
sleep 1.5
kill -INT $pid
wait $pid
code=$?
((code == 130)) && say ok "Ctrl-C: exit 130" || say no "Ctrl-C: exit 130" "exit $code"
exits 0 "Ctrl-C: the result is whole" "$sinew" info stopped.h5
has out "interrupted" "Ctrl-C: the status says so"
"$sinew" run "$model" --until 1e6 -q -o killed.h5 >out 2>err &
pid=$!
sleep 2.5
kill -KILL $pid
wait $pid 2>/dev/null
exits 0 "kill -9: the part file is readable" "$sinew" info killed.h5.part
has out "running" "kill -9: the status is still running"
exits 0 "kill -9: and exports" "$sinew" export killed.h5.part --csv --output tip

# ---- threads and profiles ----
exits 0 "run --threads auto" "$sinew" run "$model" --until 0.5 --threads auto --profile trace.json -o traced.h5
has out "threads auto: 1 of" "run --threads auto: a small model has one thread"
cp out summary
exits 4 "run --profile: a file that cannot be written" "$sinew" run -q "$model" --until 0.01 --profile nowhere/trace.json -o other.h5
# The trace is JSON, spans of a thread nest, and the outermost ones add up to the wall clock of the summary.
cat > nest.py <<'END'
import json, re, sys
wall = float(re.search(r"wall clock ([^ ]*) s", open(sys.argv[1]).read()).group(1))
spans = [e for e in json.load(open(sys.argv[2]))["traceEvents"] if e["ph"] == "X" and e["tid"] == 0]
spans.sort(key=lambda e: (e["ts"], -e["dur"]))
stack, sum = [], 0
for e in spans:
    end = e["ts"] + e["dur"]
    while stack and stack[-1] <= e["ts"] + 0.01: stack.pop()
    assert not stack or end <= stack[-1] + 0.01, e
    if not stack: sum += e["dur"] / 1e6
    stack.append(end)
assert {"residual", "factor", "solve", "integrator", "output"} <= {e["name"] for e in spans}
assert 0.7 * wall < sum < 1.3 * wall + 0.05, (sum, wall)
END
exits 0 "run --profile: spans nest and fill the run" python3 nest.py summary trace.json

# ---- checkpoints; of runs that were killed: tests/attack/kills.sh ----
exits 0 "checkpoints on the way" "$sinew" run "$model" --until 8 --checkpoint 0.5 -q -o whole.h5
exits 1 "resume with nothing left" "$sinew" run "$model" --resume whole.h5
has err "is complete" "resume with nothing left: says so"
exits 0 "resume beyond the end" "$sinew" run "$model" --resume whole.h5 --until 9 -q
exits 0 "resume beyond the end: one file" "$sinew" info whole.h5
has out "to 9 s" "resume beyond the end: up to there"
cp whole.h5 late.h5.part # as a run leaves it that is killed after its last step
exits 0 "resume what lacks only its name" "$sinew" run "$model" --until 9 --resume late.h5.part -q
"$sinew" export whole.h5 --csv -o whole.csv >/dev/null
"$sinew" export late.h5 --csv -o late.csv >/dev/null
cmp -s whole.csv late.csv && say ok "resume what lacks only its name: bit by bit" || say no "resume what lacks only its name: bit by bit"
exits 1 "resume another model" "$sinew" run "$root/models/simple-pendulum.yaml" --resume whole.h5
has err "another model" "resume another model: says so"
exits 4 "resume what is no result" "$sinew" run "$model" --resume "$root/README.md" -o x.h5

# ---- export ----
exits 0 "export" "$sinew" export pendulum.h5 --csv
[[ $(head -1 out) == t,tip.x,tip.y,tip.z,* ]] && say ok "csv header" || say no "csv header" "$(head -1 out)"
head -1 out | grep -q 'energy\.total.*constraint\.position' && say ok "csv has the audit" || say no "csv has the audit"
fields=$(awk -F, '{print NF}' out | sort -u | wc -l)
((fields == 1)) && say ok "csv rows are equally long" || say no "csv rows are equally long"
exits 0 "export of modes" "$sinew" export modes.h5 --modes -o modes.csv
[[ $(head -1 modes.csv) == stage,mode,frequency,damping,eigenvalue,real_part,imaginary_part,load_factor && $(wc -l < modes.csv) == 9 ]] && say ok "export of modes: a row for each" || say no "export of modes: a row for each" "$(cat modes.csv)"
exits 1 "export of modes that are not there" "$sinew" export pendulum.h5 --modes
exits 0 "export of one output" "$sinew" export pendulum.h5 --csv --output tip.x --output energy.total -o some.csv
[[ $(head -1 some.csv) == t,tip.x,energy.total ]] && say ok "export selects" || say no "export selects" "$(head -1 some.csv)"
exits 1 "export of an unknown output" "$sinew" export pendulum.h5 --csv --output tpi
"$sinew" export killed.h5.part --csv 2>err | head -1 >out
[[ ${PIPESTATUS[0]} == 0 && ! -s err ]] && say ok "a closed pipe is no error" || say no "a closed pipe is no error"
exits 4 "export of what is no result" "$sinew" export "$model" --csv
exits 4 "export to a full disk" bash -c '"$0" export pendulum.h5 --csv >/dev/full' "$sinew"

# ---- plot ----
exits 0 "plot in the terminal" "$sinew" plot pendulum.h5 tip.y
(($(wc -l <out) > 10)) && say ok "it is not empty" || say no "it is not empty"
has out "tip.y" "it names the series"
exits 0 "plot in ASCII" env LC_ALL=C "$sinew" plot pendulum.h5 tip.y energy.total
if LC_ALL=C grep -q '[^ -~]' out; then say no "it is ASCII"; else say ok "it is ASCII"; fi
exits 0 "plot in Braille" env LC_ALL=C.UTF-8 "$sinew" plot pendulum.h5 tip.y
LC_ALL=C grep -q $'\xe2\xa0\|\xe2\xa1\|\xe2\xa2\|\xe2\xa3' out && say ok "it has dots" || say no "it has dots"
exits 1 "plot of an unknown series" "$sinew" plot pendulum.h5 tip.w
exits 1 "plot of nothing" "$sinew" plot pendulum.h5
exits 1 "plot into an unknown format" "$sinew" plot pendulum.h5 tip.y -o picture.xyz
if command -v gnuplot >/dev/null; then
  exits 0 "plot to PNG" "$sinew" plot pendulum.h5 tip.y energy.total -o a.png --title "it's 100 % \`true\` \$HOME"
  begins a.png 89504e470d0a1a0a "it is a PNG"
  exits 0 "plot to SVG" "$sinew" plot pendulum.h5 tip.y --against tip.x -o a.svg --size 400x300
  has a.svg "<svg" "it is an SVG"
  exits 0 "plot to PDF" "$sinew" plot pendulum.h5 tip.x tip.vx energy -o a.pdf
  begins a.pdf 255044462d "it is a PDF"
  exits 4 "plot into a missing directory" "$sinew" plot pendulum.h5 tip.y -o nowhere/a.png
fi
exits 4 "plot without gnuplot" env PATH=/nonexistent "$sinew" plot pendulum.h5 tip.y -o none.png
has err "gnuplot" "it says what is missing"
[[ ! -e none.png ]] && say ok "and leaves no file" || say no "and leaves no file"

# ---- the verdict ----
exits 0 "describe trust" "$sinew" describe trust
has out "energy exchanged" "describe trust lists the rules"
exits 0 "describe expressions" "$sinew" describe expressions
has out "step(t, t0, y0, t1, y1)" "describe expressions lists functions"
has out "hinge.reaction.fx" "describe expressions lists quantities"
exits 0 "run that is good" "$sinew" run "$root/models/simple-pendulum.yaml" --integrator erk --tolerance 1e-7 --until 0.5 --strict -o trust.h5
has out "  trust           good" "a good run says so"
exits 3 "run that is bad, --strict" "$sinew" run "$root/models/simple-pendulum.yaml" --integrator '{type: symplectic-euler, stabilize: none, step: 0.05}' --strict -o trust.h5
has out "  trust           bad" "a bad run says so"
has out "bad: joints are violated" "and why"
exits 0 "a bad run without --strict" "$sinew" run "$root/models/simple-pendulum.yaml" --integrator '{type: symplectic-euler, stabilize: none, step: 0.05}' -o trust.h5
exits 0 "a bad run with -q" "$sinew" run -q "$root/models/simple-pendulum.yaml" --integrator '{type: symplectic-euler, stabilize: none, step: 0.05}' -o trust.h5
has err "bad: joints are violated" "is not silent"
exits 0 "info of a bad run" "$sinew" info trust.h5
has out "bad: joints are violated" "info has the reasons"

# ---- verify ----
simple=$root/models/simple-pendulum.yaml
exits 0 "verify" "$sinew" verify "$model" --tolerance 1e-5 --until 0.2 -o bars.csv
has out "twice the elements in 1 body" "verify refines the mesh"
has out "tip.x" "verify has the outputs"
[[ $(head -1 bars.csv) == output,unit,range,time,time_final,time_agree,method,*,error_bar,from ]] && say ok "verify: csv header" || say no "verify: csv header" "$(head -1 bars.csv)"
exits 0 "verify into json" "$sinew" verify "$simple" --step 1e-2 --until 0.5 -q -o bars.json
has out "step 0.005 s" "verify halves a fixed step"
has out "the model has no flexible bodies" "verify tells what cannot be repeated"
has bars.json '"error_bar"' "verify: json"
exits 0 "verify in parts" "$sinew" verify "$simple" --until 0.5 --parts time
has out "method    -: not requested" "verify leaves out what is not wanted"
exits 1 "verify with an unknown part" "$sinew" verify "$simple" --parts space
exits 2 "verify of a wrong model" "$sinew" verify wrong.yaml
exits 0 "verify of modes" "$sinew" verify "$root/models/cantilever-modes.yaml"
has out "mode.1" "verify has frequencies"
exits 0 "run --verify" "$sinew" run "$simple" --until 0.5 --verify -o trust.h5
has out "error bar" "run --verify ends with error bars"
"$sinew" verify "$simple" --until 1e6 >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
code=$?
((code == 130)) && say ok "verify: Ctrl-C: exit 130" || say no "verify: Ctrl-C: exit 130" "exit $code"

# ---- compare, converge ----
simple=$root/models/simple-pendulum.yaml
exits 0 "compare" "$sinew" compare "$simple" --integrators hht-i3,symplectic-euler --tolerance 1e-4,1e-5 --until 0.5 -o c.csv
has out "failed: symplectic-euler has no error control" "a run that fails is a row"
[[ $(head -1 c.csv) == integrator,step,tolerance,error,energy_error,drift_position,* ]] && say ok "compare: csv header" || say no "compare: csv header" "$(head -1 c.csv)"
[[ $(head -1 c.csv) == *,angle_error,output_error,output && $(sed -n 2p c.csv) == *,'"bob.vx"' ]] && say ok "compare: the output that is off most" || say no "compare: the output that is off most" "$(cat c.csv)"
[[ $(wc -l <c.csv) == 5 ]] && say ok "compare: a csv row for each run" || say no "compare: a csv row for each run"
exits 0 "compare with settings" "$sinew" compare "$simple" --integrators 'hht-i3,{type: gssss, index: 2, rho: [1, 1, 0]}' --step 1e-2 --until 0.5 -o c.csv
[[ $(tail -1 c.csv) == '"{type: gssss, index: 2, rho: [1, 1, 0]}",0.01,'* ]] && say ok "compare: settings in the csv" || say no "compare: settings in the csv" "$(tail -1 c.csv)"
exits 2 "run with wrong settings" "$sinew" run "$simple" --integrator '{type: gssss, indx: 2}' --until 0.1 -o x.h5
has err "did you mean 'index'?" "run: nearest key of a method"
exits 1 "compare with an unknown integrator" "$sinew" compare "$simple" --integrators hht-i4
has err "did you mean 'hht-i3'?" "compare: nearest name"
exits 1 "compare with step and tolerance" "$sinew" compare "$simple" --step 1e-3 --tolerance 1e-3
exits 1 "compare with a wrong reference" "$sinew" compare "$simple" --reference radau
exits 0 "compare with a reference that has settings" "$sinew" compare "$simple" --integrators hht-i3 --tolerance 1e-4 --until 0.5 --reference '{type: gssss, index: 2, rho_infinity: 0.8}:1e-6'
has out "reference: {type: gssss, index: 2, rho_infinity: 0.8}, tolerance 1e-06" "compare names the reference"
exits 1 "compare with a reference that lacks its tolerance" "$sinew" compare "$simple" --reference '{type: gssss, index: 2}'
has err "METHOD:TOLERANCE" "compare tells how a reference is written"
exits 3 "compare when all runs fail" "$sinew" compare "$simple" --integrators symplectic-euler --tolerance 1e-3 --until 0.5
exits 2 "compare of a wrong model" "$sinew" compare wrong.yaml
exits 0 "converge" "$sinew" converge "$simple" --integrator hht-i3 --steps 4e-3,2e-3,1e-3,5e-4 --until 1 -o d.csv
has out "2.00" "converge tells the order"
[[ $(head -1 d.csv) == step,position,position_order,velocity,* ]] && say ok "converge: csv header" || say no "converge: csv header" "$(head -1 d.csv)"
exits 0 "converge in elements" "$sinew" converge "$model" --elements 2,3,4 --until 0.05
exits 1 "converge in nothing" "$sinew" converge "$simple"
exits 1 "converge from fine to coarse" "$sinew" converge "$simple" --steps 1e-3,2e-3,4e-3
exits 1 "converge with two runs" "$sinew" converge "$simple" --steps 2e-3,1e-3
exits 2 "converge in an unknown parameter" "$sinew" converge "$simple" --elements 2,4,8
if command -v gnuplot >/dev/null; then
  exits 0 "compare with a picture" "$sinew" compare "$simple" --integrators hht-i3,gam --tolerance 1e-4,1e-5 --until 0.5 --plot c.png
  begins c.png 89504e470d0a1a0a "compare: it is a PNG"
  exits 0 "converge with a picture" "$sinew" converge "$simple" --steps 4e-3,2e-3,1e-3 --until 0.5 --plot d.png
  begins d.png 89504e470d0a1a0a "converge: it is a PNG"
fi
"$sinew" compare "$model" --until 1e5 --reference hht-i3:1e-4 -o e.csv >out 2>err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
code=$?
((code == 130)) && say ok "compare: Ctrl-C: exit 130" || say no "compare: Ctrl-C: exit 130" "exit $code"

# ---- describe: resultants ----
exits 0 "describe floating" "$sinew" describe floating
has out "in space  N (N), Qy (N)" "describe: resultants in space"
has out "planar    N (N), Q (N)" "describe: resultants in the plane"
# ---- and markers: what compiles is listed, what does not is not ----
exits 0 "describe cable" "$sinew" describe cable
has out "  start, end, at(s)" "describe: markers"
has out "outputs: point, relative, resultant, stress" "describe: a cable in space has no orientation"
has out "in planar models: point, orientation, relative, resultant, stress" "describe: in the plane it has"
exits 0 "describe output" "$sinew" describe output
has out "reaction     planar    fx (N), fy (N), mz (N m)" "describe: columns of outputs"

# ---- completion ----
for shell in bash zsh fish; do
  exits 0 "completion $shell" "$sinew" completion $shell
  has out "integrator" "completion $shell knows options"
done
"$sinew" completion bash >completion.bash
bash -n completion.bash && say ok "completion bash is valid" || say no "completion bash is valid"
answer=$(bash -c 'source ./completion.bash; COMP_WORDS=(sinew run --integrator hh); COMP_CWORD=3; _sinew; echo "${COMPREPLY[*]}"')
[[ $answer == *hht-i3* ]] && say ok "completion bash completes" || say no "completion bash completes" "$answer"
exits 1 "completion of an unknown shell" "$sinew" completion tcsh

exit $failed
