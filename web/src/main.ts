import "./shell/style.css";
import "./evaluation/style.css";
import { collect } from "./collect/report";
import { evaluation } from "./evaluation/report";
import { patterns } from "./patterns/report";
import { run } from "./shell/app";
import { text } from "./text/report";

run([evaluation, patterns, text, collect]);
