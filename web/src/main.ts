import "./shell/style.css";
import "./audits/style.css";
import "./evaluation/style.css";
import { attack } from "./audits/attack_report";
import { audit } from "./audits/audit_report";
import { collect } from "./collect/report";
import { evaluation } from "./evaluation/report";
import { inspection } from "./inspection/report";
import { noise } from "./noise/report";
import { patterns } from "./patterns/report";
import { run } from "./shell/app";
import { text } from "./text/report";

run([evaluation, patterns, text, collect, attack, audit, noise, inspection]);
